import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderText } from '../html/markup.ts'
import { readMarkup } from '../html/write-html.ts'
import { RENAMED_ICONS } from './icon-names.ts'
import { createIconSets } from './icon-sets.ts'
import { createIconInliner, type IconInliner } from './icons.ts'

const inlined = (svgOf: IconInliner['renderSvg'], html: string) =>
  renderText(readMarkup(html), (place) => (place.kind === 'icon' ? svgOf(place) : assert.fail(place.kind)))

test('inlines an icon as an SVG with its class, size and label', () => {
  const { renderSvg: svgOf, missing } = createIconInliner()
  const html = inlined(
    svgOf,
    '<p><o-icon data-l="lucide" data-n="house" data-z="20" class="icon a&quot;b" aria-label="Home > x"></o-icon></p>',
  )
  assert.match(html, /^<p><svg xmlns="[^"]+" viewBox="0 0 24 24" fill="none" stroke="currentColor"/)
  assert.match(html, / width="20" height="20" class="icon a&quot;b" aria-label="Home &gt; x"><path /)
  assert.match(html, /<\/svg><\/p>$/)
  assert.doesNotMatch(html, /<!--|license/i)
  assert.deepEqual(missing(), [])
})

test('resolves icon names across libraries, paid styles, prefixes and brands', () => {
  const sets = createIconSets()
  for (const name of [
    'house',
    'fa-house',
    'House',
    'arrowRight',
    'arrow_right',
    'github',
    'discord',
    'webhook',
  ]) {
    assert.ok(sets.find('fontawesome', name, null)?.isExact, name)
  }
  assert.deepEqual(sets.find('fontawesome', 'house', 'duotone'), sets.find('fontawesome', 'house', 'solid'))
  assert.notDeepEqual(sets.find('tabler', 'home', 'filled'), sets.find('tabler', 'home', null))
  for (const [paid, free] of [
    ['rocket-launch', 'rocket'],
    ['zzyx-rocket', 'rocket'],
  ] as const) {
    const found = sets.find('fontawesome', paid, null)
    assert.deepEqual([found?.isExact, found?.content], [false, sets.find('fontawesome', free, null)?.content])
  }
})

test('every renamed icon maps to an existing icon', () => {
  const sets = createIconSets()
  const lost = Object.entries(RENAMED_ICONS).filter(([, to]) => !sets.find('fontawesome', to, null)?.isExact)
  assert.deepEqual(lost, [])
})

test('an unknown or path-like icon name renders a dot of its size and is reported once', () => {
  const { renderSvg: svgOf, missing } = createIconInliner()
  const hostile = '../../../package'
  const html = inlined(
    svgOf,
    `<o-icon data-l="lucide" data-n="${hostile}" data-z="32" class="icon"></o-icon>`.repeat(2) +
      '<o-icon data-l="nothing" data-n="zzz-none" class="icon"></o-icon>',
  )
  assert.match(
    html,
    /^<svg [^>]* width="32" height="32" class="icon"><circle [^>]*\/><circle [^>]*\/><\/svg><svg /,
  )
  assert.deepEqual(missing(), [hostile, 'zzz-none'])
})
