// The least a Lambda function on Node does: ask for an invocation, answer it, ask again.
import http from "node:http";

const [host, port] = process.env.AWS_LAMBDA_RUNTIME_API.split(":");
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
const base = "/2018-06-01/runtime/invocation/";

function call(method, path, body) {
  return new Promise((resolve, reject) => {
    const request = http.request({ host, port, method, path: base + path, agent }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.headers["lambda-runtime-aws-request-id"]));
    });
    request.on("error", reject);
    request.end(body);
  });
}

for (;;) {
  const id = await call("GET", "next");
  await call("POST", `${id}/response`, JSON.stringify({ statusCode: 200, body: "{}" }));
}
