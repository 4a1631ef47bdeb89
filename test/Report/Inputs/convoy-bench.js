const labels = [...document.querySelectorAll("[data-kind=roofline] .mark-text.role-mark text")];
say("roofs:", labels.map((label) => label.textContent).filter(Boolean).join("; "));
const rows = document.querySelectorAll("[data-kind=table] tbody tr");
rows[1].querySelector("button").click();
say(document.querySelector(".details code").textContent.replace(/.*\/(?=convoy-bench )/, ""));
