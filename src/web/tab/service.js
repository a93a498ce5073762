// Keeps the files of one version of the site, so that it works offline. A new version is fetched whole beside the old
// one, and takes its place when no page of it is open any more.
const place = " " + registration.scope, // a host may have several sites
  kept = "esker VERSION" + place;
const files = [FILES];

addEventListener("install", event => {
  event.waitUntil(
    caches.open(kept).then(cache => cache.addAll(files.map(name => new Request(name, { cache: "reload" })))),
  );
});

addEventListener("activate", event => {
  const drop = names =>
    Promise.all(names.filter(name => name.endsWith(place) && name !== kept).map(name => caches.delete(name)));
  event.waitUntil(caches.keys().then(drop));
});

// Pictures of the start page are kept when they are first seen.
async function answer(request) {
  const cache = await caches.open(kept),
    path = new URL(request.url).pathname,
    known = await cache.match(path.endsWith("/") ? "index.html" : request, { ignoreSearch: true });
  if (known) return known;
  const response = await fetch(request);
  if (response.ok && path.includes("/pictures/")) await cache.put(request, response.clone());
  return response;
}

addEventListener("fetch", event => {
  const { request } = event,
    own = request.url.startsWith(registration.scope) && request.method === "GET";
  if (own) event.respondWith(answer(request));
});
