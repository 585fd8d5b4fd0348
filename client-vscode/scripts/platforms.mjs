// The platforms that a VSIX can be made for: VS Code's name, the tag of their Pythons, and uv's name.

export const PLATFORMS = Object.freeze({
  "linux-x64": { tag: "linux-x86_64", uv: "x86_64-unknown-linux-gnu" },
  "linux-arm64": { tag: "linux-aarch64", uv: "aarch64-unknown-linux-gnu" },
  "alpine-x64": { tag: "linuxmusl-x86_64", uv: "x86_64-unknown-linux-musl" },
  "alpine-arm64": { tag: "linuxmusl-aarch64", uv: "aarch64-unknown-linux-musl" },
  "darwin-x64": { tag: "darwin-x86_64", uv: "x86_64-apple-darwin" },
  "darwin-arm64": { tag: "darwin-aarch64", uv: "aarch64-apple-darwin" },
});

/**
 * What is made: for the platform and the version that were named, else for those of the Python at hand.
 *
 * Raises: an error when a VSIX cannot be made for it.
 *
 * @param {{ tag: string, version: number[] }} own
 * @param {{ target?: string, python?: string }} named
 */
export function chooseTarget(own, { target, python }) {
  const [version, ...platform] = own.tag.split("-");
  const here = Object.keys(PLATFORMS).find((name) => PLATFORMS[name].tag === platform.join("-"));
  const name = target ?? here;
  if (!(name in PLATFORMS))
    throw new Error(
      `No VSIX can be made for ${target ?? `the Python at hand (${own.tag})`}. Name one of ` +
        `${Object.keys(PLATFORMS).join(", ")} by --target.`,
    );
  if (python !== undefined && !/^3\.\d+$/.test(python))
    throw new Error(`--python takes a version such as 3.12, not ${python}.`);
  const wanted = python === undefined ? version : `cp${python.replace(".", "")}`;
  const tag = `${wanted}-${PLATFORMS[name].tag}`;
  const dotted = python ?? own.version.join(".");
  return { name, tag, uv: PLATFORMS[name].uv, python: dotted, isOwn: tag === own.tag };
}
