// Writes what ONNX Runtime predicts: node onnx.js LIST.json, with onnxruntime-node in NODE_PATH.
//
// LIST has entries {model, rows, out}: a file, a JSON list of rows with null for missing values, and
// the file to write, {scores, labels} or {error}. A NaN is null; infinities are texts.
const fs = require('fs');
const ort = require('onnxruntime-node');

const arrays = {float32: Float32Array, float64: Float64Array, int64: BigInt64Array};
const types = {1: 'float32', 7: 'int64', 11: 'float64'};
const write = v => typeof v === 'bigint' ? Number(v) : Number.isFinite(v) ? v : Number.isNaN(v) ? null : String(v);

async function score(model, rows) {
  const session = await ort.InferenceSession.create(model, {logSeverityLevel: 4});
  const input = session.inputNames[0];
  const meta = (session.inputMetadata || []).find(m => m.name === input);
  const type = meta && meta.type && arrays[meta.type] ? meta.type : 'float32';
  const values = arrays[type].from(rows.flat().map(v => v === null ? NaN : v));
  const outputs = await session.run({[input]: new ort.Tensor(type, values, [rows.length, rows[0].length])});
  const names = session.outputNames;
  const scores = outputs[names.includes('scores') ? 'scores' : names[names.length - 1]];
  const width = scores.data.length / rows.length;
  const result = {scores: rows.map((_, r) => Array.from(scores.data.slice(r * width, (r + 1) * width), write))};
  if (outputs.label) result.labels = Array.from(outputs.label.data, String);
  await session.release();
  return result;
}

(async () => {
  for (const t of JSON.parse(fs.readFileSync(process.argv[2]))) {
    let result;
    try {
      result = await score(t.model, JSON.parse(fs.readFileSync(t.rows)));
    } catch (e) {
      result = {error: String(e)};
    }
    fs.writeFileSync(t.out, JSON.stringify(result));
  }
})();
