// Lets people reach scrolling boxes with Tab and scroll them with the arrow keys. Other boxes are skipped.

let due = false;

function look() {
  due = false;
  for (const box of document.querySelectorAll(".mc-scroll")) {
    const scrolls = box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1;
    if (scrolls) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
}

function soon() {
  if (due) return;
  due = true;
  requestAnimationFrame(look);
}

new MutationObserver(soon).observe(document.body, {childList: true, subtree: true});
document.addEventListener("toggle", soon, true);  // a fold opens; the event does not bubble
addEventListener("resize", soon);
soon();
