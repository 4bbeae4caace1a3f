// The handler as WebAssembly, which answers in a thread of its own.
import './wasm_exec.js';

const ready = (async () => {
  const go = new globalThis.Go();
  const response = await fetch('playground.wasm.gz');
  if (!response.ok) throw new Error(`playground.wasm.gz: ${response.status}`);
  let bytes = await response.arrayBuffer();
  const head = new Uint8Array(bytes, 0, 2);
  if (head[0] === 0x1f && head[1] === 0x8b) { // else the web server has unpacked it
    const packed = new Blob([bytes]).stream();
    bytes = await new Response(packed.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
  }
  const { instance } = await WebAssembly.instantiate(bytes, go.importObject);
  go.run(instance).then(() => postMessage({ broken: 'the learners have ended: load the page again' }));
})();
ready.catch((e) => postMessage({ broken: e.message }));

addEventListener('message', async ({ data }) => {
  await ready;
  const [ok, text] = globalThis.coppice(data.scene, data.text);
  postMessage({ id: data.id, ok, text });
});
