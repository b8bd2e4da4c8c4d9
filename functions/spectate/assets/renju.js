// Talks to the WebAssembly module of the rules and the engine. Requests and answers are text; the module's
// source lists them (functions/spectate/wasm/src/lib.rs).

// A function that takes a request and returns the answer to it, or throws what the module says is wrong.
export async function start(module) {
  const { exports } = await WebAssembly.instantiate(module, {});
  const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];
  return (request) => {
    const bytes = encoder.encode(request);
    // The memory may have grown and moved with every call.
    const to = exports.input(bytes.length);
    new Uint8Array(exports.memory.buffer, to, bytes.length).set(bytes);
    const length = exports.answer();
    const answer = decoder.decode(new Uint8Array(exports.memory.buffer, exports.output(), length));
    if (answer.startsWith("ok ")) return answer.slice(3);
    throw new Error(answer.replace(/^error /, ""));
  };
}

// The points of `h8i9j10`.
export const points = (text) => text.match(/[a-t]\d+/g) ?? [];
