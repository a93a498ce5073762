// Where a picture that covers the ground lies: its lower left corner, and what a step on the map adds to the
// shares of its sides, from there. It may be turned, or mirrored.
export function coverOf([x, y, rightX, rightY, upX, upY]) {
  const area = rightX * upY - rightY * upX;
  return { foot: [x, y], across: [upY / area, -upX / area], upwards: [-rightY / area, rightX / area] };
}
