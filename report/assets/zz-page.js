// The page: head, list of contents, and the sections in their order.

const main = document.getElementById('main');
for (const s of page.sections) {
  if (content(s.id)) document.getElementById(s.id).append(...sections[s.id](content(s.id)).flat());
}
