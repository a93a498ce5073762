// A worker of the tab, which its name makes the front or one that computes. One script for both, so that each begins after
// one request.
import { compute } from "./compute_worker.js";
import { front } from "./front_worker.js";

if (self.name === "front") front();
else compute();
