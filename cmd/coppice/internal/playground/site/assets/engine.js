// How the page gets answers: from the server that it came from, or from a worker that runs the same
// handler as WebAssembly. Both return a function ask(scene, request) -> promise of the answer.

export function connect() {
  return document.documentElement.dataset.engine === 'worker' ? worker() : server();
}

function server() {
  return async (scene, request) => {
    const response = await fetch(`api/${scene}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(request),
    }).catch(() => {
      throw new Error('the server has gone: start coppice lab --serve again');
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.error);
    return answer;
  };
}

function worker() {
  const waiting = new Map();
  let last = 0;
  let broken;
  const run = new Worker('worker.js', { type: 'module' });
  const fail = (text) => {
    broken = new Error(text);
    for (const { reject } of waiting.values()) reject(broken);
    waiting.clear();
  };
  run.addEventListener('error', (e) => fail(e.message || 'the worker did not start'));
  run.addEventListener('message', ({ data }) => {
    if (data.broken) return fail(data.broken);
    const { resolve, reject } = waiting.get(data.id);
    waiting.delete(data.id);
    const answer = JSON.parse(data.text);
    if (data.ok) resolve(answer);
    else reject(new Error(answer.error));
  });
  return (scene, request) =>
    new Promise((resolve, reject) => {
      if (broken) return reject(broken);
      waiting.set((last += 1), { resolve, reject });
      run.postMessage({ id: last, scene, text: JSON.stringify(request) });
    });
}

// latest makes a function that asks for the newest of many requests only: while an answer is under
// way it keeps the last request, and forgets those before.
export function latest(ask, scene, answered, failed) {
  let busy = false;
  let next;
  return async (request) => {
    next = request;
    if (busy) return;
    busy = true;
    while (next) {
      const now = next;
      next = undefined;
      try {
        answered(await ask(scene, now), now);
      } catch (e) {
        failed(e.message);
      }
    }
    busy = false;
  };
}
