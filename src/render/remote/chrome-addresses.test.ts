import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Site } from '../../site/model.ts'
import { listChromeUrls, withoutMissingLogo } from './chrome-addresses.ts'

const LIGHT = 'https://x.example/light.svg'
const DARK = '//x.example/dark.svg'

function site(): Site {
  const icon = (src: string) => ({ kind: 'image', src })
  return {
    config: {
      logo: { light: LIGHT, dark: DARK, href: null },
      favicon: { light: '/f.svg', dark: '/f.svg' },
      background: { image: null },
      navbar: { links: [{ icon: icon('https://x.example/link.svg') }], primary: null },
      contextual: null,
    },
    sidebars: [
      { items: [{ kind: 'group', items: [{ kind: 'link', icon: icon('https://x.example/deep.png') }] }] },
    ],
    pages: new Map([['/', { icon: icon('/own.svg') }]]),
  } as unknown as Site
}

test('finds remote logos and icons at any depth', () => {
  assert.deepEqual(listChromeUrls(site()).sort(), [
    DARK,
    'https://x.example/deep.png',
    LIGHT,
    'https://x.example/link.svg',
  ])
})

test('drops the logo if one of its variants could not be downloaded', () => {
  const whole = withoutMissingLogo(site(), { pathOf: () => '_octavo/remote/x.svg' })
  assert.deepEqual([whole.site.config.logo?.light, whole.missing], [LIGHT, []])
  const half = withoutMissingLogo(site(), { pathOf: (url) => (url === DARK ? null : 'x.svg') })
  assert.deepEqual([half.site.config.logo, half.missing], [null, [DARK]])
})
