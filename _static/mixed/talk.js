// The card in which a group chats, and the button with which a participant leaves the chat.
//
//   const talk = talker({setting, seat, numbered, periods, words, at, talk});
//   talk.draw(view);                     with every view
//   talk.answered(answer, message);      the server's answer to a message that was sent
//
// `server.pages.talking` sends `setting` once; `numbered` means that badges show numbers; `words` are the
// texts of the page; `talk(message)` resends a message until it is answered. Every message is inserted as plain text.
// The list is in a `role="log"`, so screen readers read new messages but not the initial ones.

import {badge, element, seatName, tag, text} from "./dom.js";

export function talker({setting, seat, numbered, periods, words, at: byId, talk}) {
  const texts = setting.texts;
  const messageReporters = new Map();
  const list = element("ol", {});
  const log = element("div", {class: "mc-talk-log", role: "log", "aria-live": "off", "aria-labelledby": "talk-title", tabindex: 0}, list);
  const empty = element("p", {class: "mc-quiet mc-talk-empty"}, texts.nothing);
  const note = element("p", {class: "mc-quiet mc-talk-note", role: "status"});
  const problem = element("p", {class: "mc-note mc-note-wrong", role: "alert", hidden: true});
  const goOn = element("button", {type: "button", class: "mc-button", hidden: true}, texts.go_on);
  const form = setting.writes ? writer() : null;
  let view = null;
  let closes = null;
  let lastPeriod = null;

  byId("talk").append(empty, log, ...(form ? [form.node] : []), note, problem);
  byId("confirm").after(goOn);
  goOn.addEventListener("click", () => {
    goOn.disabled = true;
    talk({kind: "done", period: view.period});
  });

  // -- messages of all players

  function line(message) {
    const name = seatName(message.seat, seat, words);
    const to = message.to === undefined ? name
      : text(texts.from_to, {player: name, other: seatName(message.to, seat, words)});
    const written = element("span", {class: "mc-talk-text", dir: "auto"}, message.text);
    const node = element("li", {class: message.seat === seat ? "mc-talk-own" : null},
      element("span", {class: "mc-talk-name"}, badge(message.seat, numbered), tag(message, words), text(words.labelled, {label: to, value: ""})), written);
    if (message.seat !== seat) node.append(reporter(message, name));
    return node;
  }

  function reporter(message, name) {
    const label = text(texts.report_of, {player: name, text: message.text});
    const button = element("button", {type: "button", class: "mc-talk-report", "aria-label": label}, texts.report);
    const reported = () => {
      button.disabled = true;
      button.textContent = texts.reported;
      button.removeAttribute("aria-label");
    };
    button.addEventListener("click", () => talk({kind: "report", message: message.number}));
    messageReporters.set(message.number, reported);
    if (message.reported) reported();
    return button;
  }

  function add(messages) {
    const below = log.scrollHeight - log.scrollTop - log.clientHeight < 40;
    for (const message of messages.filter(({number}) => !messageReporters.has(number))) {
      messageReporters.set(message.number, null);
      if (message.period !== lastPeriod) {
        lastPeriod = message.period;
        list.append(element("li", {class: "mc-talk-period"}, text(words.period, {period: message.period + 1, periods})));
      }
      list.append(line(message));
    }
    empty.hidden = messageReporters.size > 0;
    log.hidden = messageReporters.size === 0;
    if (below) log.scrollTop = log.scrollHeight;
  }

  // -- writing

  function writer() {
    const recipient = setting.one && element("select", {id: "talk-to"}, ...setting.partners.map((other) =>
      element("option", {value: other}, seatName(other, seat, words))));
    const listed = setting.sentences.length > 0;
    const field = listed
      ? element("select", {id: "talk-field"}, ...setting.sentences.map((sentence, place) => element("option", {value: place}, sentence)))
      : element("input", {id: "talk-field", type: "text", maxlength: setting.length, autocomplete: "off", enterkeyhint: "send", dir: "auto"});
    const count = element("span", {class: "mc-quiet mc-talk-left"});
    const button = element("button", {type: "button", class: "mc-button mc-quiet-button"}, texts.send);
    const labelled = (label, control) => element("label", {}, element("span", {}, label), control);
    const node = element("div", {class: "mc-talk-form"}, recipient ? labelled(texts.to, recipient) : null,
      labelled(listed ? texts.sentence : texts.message, field), count, button);

    function refresh() {
      button.disabled = field.disabled || (!listed && field.value.trim() === "");
      const left = setting.length - field.value.length;
      count.textContent = listed || left > setting.length / 4 ? "" : text(texts.left, {n: left});
    }

    function send() {
      if (button.disabled) return;
      const content = listed ? {sentence: Number(field.value)} : {text: field.value};
      talk({kind: "say", ...content, to: recipient ? Number(recipient.value) : null});
      complain(null);
      note.textContent = texts.sending;
      if (!listed) field.value = "";
      refresh();
      field.focus();
    }

    field.addEventListener("input", refresh);
    field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault();  // otherwise Enter would submit the page
      if (!listed) send();
    });
    button.addEventListener("click", send);
    refresh();
    return {
      node,
      open(isOpen) {
        for (const control of [field, recipient].filter(Boolean)) control.disabled = !isOpen;
        refresh();
      },
      // Restores a rejected message, so that it can be corrected and sent again.
      restore(message) {
        if (!listed && field.value === "") field.value = message.text;
        refresh();
      },
    };
  }

  function complain(reason) {
    problem.textContent = reason ?? "";
    problem.hidden = reason === null;
  }

  function refresh() {
    const late = closes !== null && performance.now() >= closes;
    const open = view.talk.open && !late;
    form?.open(open);
    if (byId("talk").dataset.open !== String(open)) {
      byId("talk").dataset.open = open;
      log.scrollTop = log.scrollHeight;  // the height of the list has changed
      if (!open) complain(null);
    }
    const quiet = view.phase === "over" || open ? "" : texts.closed;
    if (note.textContent !== texts.sending || !open) note.textContent = setting.writes ? quiet : texts.silent;
  }

  return {
    draw(next) {
      const talking = next.phase === "talk";
      const first = view === null;
      view = next;
      closes = next.talk.remaining_ms === undefined ? null : performance.now() + next.talk.remaining_ms;
      add(next.talk.messages);
      if (first) requestAnimationFrame(() => log.setAttribute("aria-live", "polite"));
      goOn.hidden = !talking;
      goOn.disabled = next.talk.done;
      refresh();
    },
    tick: () => view && closes !== null && refresh(),
    note: () => (view.talk.done ? texts.gone_on : texts.talk_first),
    answered(answer, message) {
      const refused = answer.kind === "refused";
      if (message.kind === "say") {
        note.textContent = "";
        if (refused) form?.restore(message);
      }
      if (message.kind === "report" && !refused) messageReporters.get(message.message)?.();
      complain(refused ? text(words.refused, {reason: answer.reason}) : null);
      refresh();
    },
  };
}
