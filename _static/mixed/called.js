// Marks the title of a page that opened in a background tab until the participant looks at it.

const title = document.title;

function look() {
  document.title = document.hidden ? `\u25b6 ${title}` : title;
  if (!document.hidden) document.removeEventListener("visibilitychange", look);
}

document.addEventListener("visibilitychange", look);
look();
