// Writes the chosen options into one hidden field when the form is submitted.

const form = document.getElementById("form");
form.addEventListener("submit", () => {
  const answers = {};
  for (const question of document.querySelectorAll("[data-question]")) {
    const chosen = question.querySelector("input:checked");
    if (chosen) answers[question.dataset.question] = chosen.value;
  }
  document.getElementById("quiz_answers").value = JSON.stringify(answers);
});
document.querySelector(".mc-wrong input, .mc-missing input")?.focus();
