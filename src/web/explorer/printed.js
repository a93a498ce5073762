// What the recipe has printed. It is told piece by piece while a run lasts, and the state at its end has all
// of it. Pure.
export class Printed {
  constructor() {
    this.text = "";
    this.generation = 0; // of the run that printed it
    this.taken = 0; // the newest whose state has come
  }
  // A run that failed has no whole text: what it was heard to print stays.
  take({ generation, log }) {
    this.taken = generation;
    if (log === undefined && this.generation === generation) return;
    this.text = log ?? this.text;
    this.generation = generation;
  }
  // Another process that runs the same text prints the same once more. True where it is new.
  add(generation, text) {
    if (generation <= this.taken || generation < this.generation) return false;
    this.text = (generation === this.generation ? this.text : "") + text;
    this.generation = generation;
    return true;
  }
}
