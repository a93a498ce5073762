// Keeps the site offline (service.js). Where the browser cannot, or no secure address is there, it stays online.
addEventListener("load", () => navigator.serviceWorker?.register("service.js").catch(() => {}));
