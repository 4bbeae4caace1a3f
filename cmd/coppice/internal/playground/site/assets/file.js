// Browsers load no modules and no workers from a disk, so a page opened from there gets a reason.
if (location.protocol === 'file:') {
  document.getElementById('start').textContent =
    'Browsers run this page from a web server only. Put the folder on any web server, or run ' +
    '"coppice lab --serve :8080".';
}
