// Repeats the calls of a list (tests/calls.lua) with the package for JavaScript, in node or in a page: gives how many values
// it compared, and what is wrong. As a program: node same_calls.mjs LIST.json, in a folder that has the package.
const infinite = { inf: Infinity, "-inf": -Infinity, nan: NaN, "-nan": NaN };
const numberOf = text => infinite[text] ?? Number(text);

export async function repeat({ open }, calls) {
  const esker = await open(),
    made = [null],
    wrong = [];
  const argument = given =>
    given?.value !== undefined ? made[given.value] : Array.isArray(given) ? given.map(argument) : given;
  const agrees = (found, expected) => {
    if (expected.hash !== undefined) {
      made.push(found);
      return found.hash() === expected.hash;
    }
    if (expected.labels) return Object.entries(expected.labels).every(([name, text]) => found[name] === text);
    const given = expected.list ? found : [found];
    return (expected.list ?? [expected.number]).every((text, i) => Object.is(given[i], numberOf(text)));
  };
  let count = 0;
  for (const { op, inputs, params, made: expected } of calls) {
    const given = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, argument(value)]));
    const result = esker[op](...inputs.map(argument), given),
      several = esker.operations.find(each => each.name === op).results.length > 1;
    const isOne =
      !several || typeof result !== "object" || Object.getPrototypeOf(result) !== Object.prototype;
    const results = (isOne ? [result] : Object.values(result)).filter(
      value => value !== null && value !== undefined,
    );
    const agreed = expected.map((each, i) => i < results.length && agrees(results[i], each));
    if (results.length !== expected.length || agreed.includes(false))
      wrong.push(`${op} ${JSON.stringify(params)}`);
    count += expected.filter(each => each.hash !== undefined).length;
  }
  return { count, wrong };
}

if (globalThis.process?.argv[2]?.endsWith(".json")) {
  const { readFileSync } = await import("node:fs"),
    { createRequire } = await import("node:module"),
    { pathToFileURL } = await import("node:url");
  const at = createRequire(pathToFileURL("./here.mjs")).resolve("esker");
  const { count, wrong } = await repeat(
    await import(pathToFileURL(at)),
    JSON.parse(readFileSync(process.argv[2], "utf8")),
  );
  console.log(`${wrong.length || count < 300 ? "not ok" : "ok"} 1 - ${count} values have the same bytes`);
  for (const line of wrong.slice(0, 12)) console.log("# " + line.slice(0, 200));
  console.log("1..1");
}
