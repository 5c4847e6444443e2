import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withInheritedImports } from './inherited-imports.ts'

const CARD = { local: 'Price', imported: 'Price', from: 'snippets/price.jsx' }
const lentTo = (text: string, lent = [CARD]) => withInheritedImports('snippets/plan.jsx', text, lent)

test('adds an import for a name that is used but missing, on the first line', () => {
  assert.equal(
    lentTo('export const Plan = () => <Price />\n'),
    'import { Price as Price } from "/snippets/price.jsx";export const Plan = () => <Price />\n',
  )
  assert.match(lentTo('Price()', [{ ...CARD, imported: 'default' }]), /^import \{ Price as Price \}/)
  assert.match(lentTo('Price.Tag()', [{ ...CARD, imported: '*' }]), /^import \* as Price /)
})

test('adds no import for a name that the file defines, does not use or provides itself', () => {
  for (const text of [
    'const Price = () => null; Price()',
    "import {\n  Price,\n} from './own.jsx'\nPrice()",
    'export const { Price } = parts\nPrice()',
    'Prices(); own.Price()',
  ])
    assert.equal(lentTo(text), text)
  assert.equal(withInheritedImports(CARD.from, 'Price()', [CARD]), 'Price()')
})
