import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getAssetContent } from '../outputs/assets.ts'

const served = (css: string) =>
  String(getAssetContent({ rewriteCss: (text) => text }, 'style.css', Buffer.from(css)))

for (const [written, shown] of [
  [`code{font-family:"Fira Code"}`, `code{font-family:"Fira Code", monospace}`],
  [
    `pre { font: 12px/1.5 'DM Mono' !important ; }`,
    `pre { font: 12px/1.5 'DM Mono', monospace !important ; }`,
  ],
  [`a{font-family:SFMono-Regular;color:red}`, `a{font-family:SFMono-Regular, monospace;color:red}`],
  [`:root{--font-mono:"A;} Code"}`, `:root{--font-mono:"A;} Code", monospace}`],
  [`@font-face{font-family:"Fira Code";src:url(x)}b{font-family:"Fira Code"}`, null],
  [`code{font-family:"Fira Code",monospace}`, `code{font-family:"Fira Code",monospace}`],
  [`code{font-family:"Fira Code",ui-monospace}`, `code{font-family:"Fira Code",ui-monospace}`],
  [`code{font-family:"Fira Code",var(--x)}`, `code{font-family:"Fira Code",var(--x)}`],
  [`p{font-family:"Own Text"}`, `p{font-family:"Own Text"}`],
  [`/* font-family: x Mono */p::after{content:"font-family: Mono"}`, null],
  [`code{font-family:"Fira Code`, `code{font-family:"Fira Code`],
] as const)
  test(`appends monospace to code fonts only where needed: ${written}`, () => {
    const expected = shown ?? written.replace(/(b\{font-family:"Fira Code")/, '$1, monospace')
    assert.equal(served(written), expected)
  })

test('scans unterminated style sheets in linear time', () => {
  for (const piece of ['font:', 'font-family: x', '@font-face', '/*', '"', '! ', "font:'"])
    assert.ok(served(piece.repeat(200_000)).length >= piece.length * 200_000)
})
