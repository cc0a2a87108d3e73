// Shows what the site pushes, and opens the table when that is tapped.
"use strict";

const at = (path) => new URL(path, self.registration.scope);

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("push", (event) => {
  const { title, body, link, tag } = event.data.json();
  const icon = at("static/icons/icon-192.png").href;
  const badge = at("static/icons/badge-96.png").href;
  const shown = { body, tag, renotify: true, icon, badge, data: { link } };
  event.waitUntil(self.registration.showNotification(title, shown));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(at(event.notification.data.link)));
});

async function open(address) {
  if (address.origin !== self.location.origin) return;
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = pages.find((page) => new URL(page.url).pathname === address.pathname);
  await (there ? there.focus() : self.clients.openWindow(address.href));
}
