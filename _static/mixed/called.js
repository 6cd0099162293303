// A page that opens by itself while another tab is looked at says so in its title until it is seen.

const title = document.title;

function look() {
  document.title = document.hidden ? `\u25b6 ${title}` : title;
  if (!document.hidden) document.removeEventListener("visibilitychange", look);
}

document.addEventListener("visibilitychange", look);
look();
