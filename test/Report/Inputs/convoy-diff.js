const names = [...document.querySelectorAll("[data-kind=bars] .mark-text.role-axis-label text")];
const bars = [...document.querySelectorAll("[data-kind=bars] .mark-rect.role-mark path")].map((bar) => bar.getBBox().width);
say("layers with bars:", bars.filter((width) => width > 0).length > 0, "first label:", names.some((name) => name.textContent === "conv0"));
const rows = document.querySelectorAll("[data-kind=table] tbody tr");
say("scale:", [...rows[4].cells].slice(1).map((cell) => cell.textContent).join(" | "));
rows[4].querySelector("button").click();
say(document.querySelector(".details code").textContent.replace(/.*\/(?=convoy-diff )/, ""));
