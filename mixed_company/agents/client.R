# Client for outside agents, in one file: copy it, and write `decide`.
#
# It needs R 4 and the package jsonlite, and connects to ws:// addresses (R alone has no TLS: for a
# server with wss://, run it on the server's machine, or use an SSH tunnel). docs/agents.md
# documents the messages on the socket.
#
#     source("client.R")
#     play("ws://127.0.0.1:8000/agents", "mine", key, function(game, view) list(harvest = 2))
#
# Arrays of JSON are vectors, `null` in them is NA, and lists of objects are data frames. Lost
# connections and failed decisions are messages. Run as a command, it chooses the middle of each
# range in the schema, to test the connection:
#
#     AGENT_KEY=... Rscript client.R ws://127.0.0.1:8000/agents mine [SEATS]

MOST_TRIES <- 3
MOST_SAYINGS <- 4 # the maximum number of messages in one time for talk
MOST_WAIT_SECONDS <- 10
PATIENCE_SECONDS <- 7 * 24 * 3600 # without a message, such as the server's pings

# Play all seats that are offered, and reconnect when the connection is lost. It is an error if the
# server refuses the agent.
#
# decide(game, view)   returns a list that follows `view$schema`; after an error the default is used
# talk(game, view)     for the group's talk: returns a text, the index of one of the sentences, or
#                      NULL if it has nothing more to say
# seats                maximum number of seats at the same time
# plays                number of plays, over all seats, after which this returns
play <- function(url, agent, key, decide, talk = NULL, seats = NULL, plays = Inf) {
  hello <- list(kind = "hello", agent = agent, key = key)
  hello$seats <- seats
  over <- new.env()
  wait <- 1
  repeat {
    lost <- tryCatch({
      play_once(url, hello, decide, talk, plays, over)
      return(invisible())
    }, lost = conditionMessage)
    message(url, ": ", lost, "; retrying in ", wait, " s")
    Sys.sleep(wait)
    wait <- min(2 * wait, MOST_WAIT_SECONDS)
  }
}

play_once <- function(url, hello, decide, talk, plays, over) {
  socket <- connected(url)
  on.exit(close(socket))
  seats <- new.env()
  unseen <- character()
  count <- 0

  # Keep what a message says; views are shown in the order of their arrival.
  note <- function(message) {
    place <- message$place
    if (message$kind == "refused" && is.null(message$id) && length(seats) == 0) {
      stop(message$reason, call. = FALSE)
    } else if (message$kind == "game") {
      seats[[place]] <- list2env(list(game = message, step = -1, talked = -1))
    } else if (message$kind == "left") {
      rm(list = place, envir = seats)
    } else if (message$kind == "view" && !is.null(seats[[place]])) {
      seats[[place]]$view <- c(message, list(arrived = Sys.time()))
      unseen <<- c(unseen, place)
    }
  }

  ask <- function(message) {
    count <<- count + 1
    message$id <- paste0("m", count)
    send(socket, message)
    repeat {
      answer <- receive(socket)
      if (identical(answer$id, message$id)) return(answer)
      note(answer)
    }
  }

  act <- function(seat, view) {
    about <- list(place = view$place, period = view$period)
    reason <- NULL
    for (try in seq_len(MOST_TRIES)) {
      shown <- left_now(view)
      shown$refused <- reason
      action <- tryCatch(list(decide(seat$game, shown)), error = conditionMessage)
      if (is.character(action)) {
        reason <- action
        break
      }
      answer <- ask(c(about, list(kind = "act", action = action[[1]])))
      if (answer$kind == "ack") return(invisible())
      reason <- answer$reason
    }
    message(view$place, ", period ", view$period, ": the default is used: ", reason)
    ask(c(about, list(kind = "give_up", reason = reason)))
  }

  speak <- function(seat, place, period) {
    for (said in seq_len(MOST_SAYINGS)) {
      if (is.null(talk) || !isTRUE(seat$view$talk$open)) break
      text <- talk(seat$game, left_now(seat$view))
      if (is.null(text)) break
      content <- list(kind = "say", place = place)
      content[[if (is.numeric(text)) "sentence" else "text"]] <- text
      if (isTRUE(seat$game$talk$one)) content$to <- seat$game$talk$partners[1]
      ask(content)
    }
    ask(list(kind = "done", place = place, period = period))
  }

  show <- function(place) {
    seat <- seats[[place]]
    view <- seat$view
    if (is.null(seat)) return()
    stage <- if (is.null(view$observation$stage)) 0 else view$observation$stage
    step <- view$period + stage / 2 # a period has at most two stages
    if (view$phase == "over") {
      over[[place]] <- TRUE
    } else if (view$phase == "talk" && view$period > seat$talked) {
      seat$talked <- view$period
      speak(seat, place, view$period)
    } else if (view$phase == "decide" && step > seat$step) {
      seat$step <- step
      act(seat, view)
    }
  }

  send(socket, hello)
  while (length(over) < plays) {
    if (length(unseen) == 0) {
      note(receive(socket))
    } else {
      place <- unseen[1]
      unseen <- unseen[-1]
      show(place)
    }
  }
}

# Return a view with the time that is left now.
left_now <- function(view) {
  if (!is.null(view$remaining_ms)) {
    passed <- 1000 * as.numeric(difftime(Sys.time(), view$arrived, units = "secs"))
    view$remaining_ms <- max(0, round(view$remaining_ms - passed))
  }
  view
}

# Return the middle of each range in the schema, or the default if the range is unbounded.
middle <- function(game, view) {
  lapply(view$schema$properties, function(field) {
    if (!is.null(field$enum)) return(field$enum[length(field$enum) %/% 2 + 1])
    if (is.null(field$minimum) || is.null(field$maximum)) return(field$default)
    amount <- (field$minimum + field$maximum) / 2
    if (field$type == "integer") floor(amount) else amount
  })
}

# -- the WebSocket (RFC 6455) ----------------------------------------------------------------------

lost <- function(reason) {
  stop(structure(class = c("lost", "error", "condition"), list(message = reason, call = NULL)))
}

connected <- function(url) {
  parts <- regmatches(url, regexec("^ws://([^:/]+)(:[0-9]+)?(/.*)?$", url))[[1]]
  if (length(parts) == 0) stop(url, ": should be like ws://127.0.0.1:8000/agents", call. = FALSE)
  port <- if (parts[3] == "") 80L else as.integer(substring(parts[3], 2))
  socket <- tryCatch(
    suppressWarnings(
      socketConnection(parts[2], port, blocking = TRUE, open = "r+b", timeout = PATIENCE_SECONDS)
    ),
    error = function(error) lost("no connection")
  )
  nonce <- jsonlite::base64_enc(charToRaw(sprintf("%016.0f", 1e6 * as.numeric(Sys.time()))))
  writeBin(charToRaw(paste0(
    "GET ", parts[4], " HTTP/1.1\r\nHost: ", parts[2], parts[3],
    "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13",
    "\r\nSec-WebSocket-Key: ", nonce, "\r\n\r\n"
  )), socket)
  head <- raw()
  while (!identical(utils::tail(head, 4), charToRaw("\r\n\r\n"))) {
    head <- c(head, tryCatch(bytes(socket, 1), lost = function(error) {
      close(socket)
      lost("no answer")
    }))
  }
  status <- sub("\r\n.*", "", rawToChar(head))
  if (!grepl(" 101", status, fixed = TRUE)) {
    close(socket)
    lost(status)
  }
  socket
}

bytes <- function(socket, count) {
  received <- raw()
  while (length(received) < count) {
    more <- tryCatch(
      suppressWarnings(readBin(socket, "raw", count - length(received))),
      error = function(error) raw()
    )
    if (length(more) == 0) lost("the connection was closed")
    received <- c(received, more)
  }
  received
}

number <- function(bytes) sum(as.numeric(bytes) * 256^rev(seq_along(bytes) - 1))

digits <- function(number, count) as.raw((number %/% 256^rev(seq_len(count) - 1)) %% 256)

send_frame <- function(socket, kind, content) {
  size <- length(content)
  head <- if (size < 126) {
    as.raw(128 + size)
  } else if (size < 2^16) {
    c(as.raw(254), digits(size, 2))
  } else {
    c(as.raw(255), digits(size, 8))
  }
  mask <- raw(4) # zeros leave the content as it is, and R's random numbers alone
  frame <- c(as.raw(128 + kind), head, mask, content)
  tryCatch(writeBin(frame, socket), error = function(error) lost("the connection was closed"))
}

send <- function(socket, message) {
  text <- jsonlite::toJSON(message, auto_unbox = TRUE, digits = NA, null = "null")
  send_frame(socket, 1, charToRaw(enc2utf8(as.character(text))))
}

# Return the next message; pings are answered.
receive <- function(socket) {
  content <- raw()
  repeat {
    head <- as.integer(bytes(socket, 2))
    size <- head[2] %% 128
    if (size > 125) size <- number(bytes(socket, if (size == 126) 2 else 8))
    part <- if (size > 0) bytes(socket, size) else raw()
    kind <- head[1] %% 16
    if (kind == 8) lost("the connection was closed")
    if (kind == 9) send_frame(socket, 10, part)
    if (kind <= 2) {
      content <- c(content, part)
      if (head[1] >= 128) break
    }
  }
  text <- rawToChar(content)
  Encoding(text) <- "UTF-8"
  jsonlite::fromJSON(text)
}

if (sys.nframe() == 0 && !interactive()) {
  arguments <- commandArgs(trailingOnly = TRUE)
  key <- Sys.getenv("AGENT_KEY")
  if (key == "") {
    message("AGENT_KEY: not set; it should be the server's key for this name")
    quit(status = 1)
  }
  seats <- if (length(arguments) > 2) as.integer(arguments[3])
  play(arguments[1], arguments[2], key, middle, seats = seats)
}
