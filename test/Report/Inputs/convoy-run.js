const rows = document.querySelectorAll("[data-kind=table] tbody tr");
rows[1].querySelector("button").click();
say(document.querySelector(".details code").textContent);
