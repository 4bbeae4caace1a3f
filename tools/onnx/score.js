// Adds to each NAME.json of a folder what ONNX Runtime predicts for its rows by NAME.onnx:
//
//     npm install --ignore-scripts onnxruntime-node && node score.js FOLDER [NAME...]
//
// "inputs" of the file lists the model's inputs with type and width; "scores" is the output that is
// kept, as "want", with null for NaN and "Infinity" as a text; an output "label" is kept as "labels".
const fs = require('fs');
const path = require('path');
const ort = require('onnxruntime-node');

const arrays = {float32: Float32Array, float64: Float64Array, int64: BigInt64Array};
const read = (v, type) => type === 'int64' ? BigInt(v) : v === null ? NaN : v;
const write = v => typeof v === 'bigint' ? Number(v) : Number.isFinite(v) ? v : Number.isNaN(v) ? null : String(v);

async function score(folder, name) {
  const file = path.join(folder, name + '.json');
  const sample = JSON.parse(fs.readFileSync(file));
  const session = await ort.InferenceSession.create(path.join(folder, name + '.onnx'), {logSeverityLevel: 3});
  const feeds = {};
  let at = 0;
  for (const i of sample.inputs) {
    const from = at;
    const values = sample.rows.flatMap(r => r.slice(from, from + i.width).map(v => read(v, i.type)));
    feeds[i.name] = new ort.Tensor(i.type, arrays[i.type].from(values), [sample.rows.length, i.width]);
    at += i.width;
  }
  const outputs = await session.run(feeds);
  const got = outputs[sample.scores];
  const width = got.data.length / sample.rows.length;
  sample.want = sample.rows.map((_, r) => Array.from(got.data.slice(r * width, (r + 1) * width), write));
  if (outputs.label) sample.labels = Array.from(outputs.label.data, String);
  fs.writeFileSync(file, JSON.stringify(sample) + '\n');
}

(async () => {
  const [folder, ...names] = process.argv.slice(2);
  const all = names.length ? names : fs.readdirSync(folder).filter(f => f.endsWith('.onnx')).map(f => f.slice(0, -5));
  for (const name of all) {
    try {
      await score(folder, name);
    } catch (e) {
      console.error(`${name}: ${e}`);
      process.exitCode = 1;
    }
  }
})();
