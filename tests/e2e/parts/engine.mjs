// A real PostgreSQL on loopback for a team of two, started by the Python of the tests.
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { repository } from "./code-server.mjs";

const python = path.join(repository, ".venv", "bin", "python");
const program = path.join(repository, "tests", "e2e", "parts", "engine.py");

/**
 * Starts it. Answers `missing`, why there is none here, or `url`, which makes the address of a role, the `password`
 * of all roles, `addMember` and `find`, which names the tables that hold a text. `stop` ends it.
 */
export async function startEngine() {
  const child = spawn(python, [program], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const heard = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error("The engine of the tests has ended.");
    return JSON.parse(value);
  };
  const ask = (request) => {
    child.stdin.write(`${JSON.stringify(request)}\n`);
    return heard();
  };
  const { missing, port, database, password } = await heard();
  return {
    missing,
    password,
    url: (role) => `postgresql://${role}@127.0.0.1:${port}/${database}`,
    addMember: (project, member) => ask({ project, member }),
    find: (text) => ask({ find: text }),
    async stop() {
      child.stdin.end();
      if (child.exitCode === null) await once(child, "exit");
    },
  };
}
