/** Normalizes values in code and on pages for comparison: `30 * time.Second`, `30s` and “30 seconds”. */

const PRODUCT_EXPRESSION_PATTERN = /(?<![\w.])(\d[\d_]*(?:\.\d+)?)((?:\s*\*\s*\d[\d_]*)+)(?![\w.])/g
const SHIFT_EXPRESSION_PATTERN = /(?<![\w.])(\d{1,4}) ?<< ?(\d{1,2})(?!\w)/g
const GO_DURATION = /(?<![\w.])(\d[\d_]*) ?\* ?time\.(Millisecond|Second|Minute|Hour)/g
const NUMBER = /(?<![\w.#-]|\d,)-?\d[\d_]*(?:,\d{3})*(?:\.\d+)*(?=(?:[iuf](?:8|16|32|64|size)|n|L)?(?![\w]))/g
const WORD_VALUE = /(?<![\w.$-])(?:true|false|True|False|null|None|nil|undefined)(?![\w-])/g
const NUMBER_WITH_UNIT_PATTERN =
  /(?<![\w.])(\d[\d_,]*(?:\.\d+)?)[ -]?(ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?|d|days?|KB|KiB|kB|K|MB|MiB|M|GB|GiB|G)(?![\w-])/g
const SECONDS: Readonly<Record<string, number>> = { ms: 0.001, mil: 0.001, s: 1, m: 60, h: 3600, d: 86_400 }
const BYTE_UNIT_EXPONENTS: Readonly<Record<string, number>> = { K: 1, M: 2, G: 3 }

export function valuesInCode(code: string): string[] {
  const found = new Set<string>()
  let rest = code.length > 500 ? code.slice(0, 500) : code
  if (!/\d|true|false|null|None|nil|undefined/i.test(rest)) return []
  rest = rest.replace(GO_DURATION, (_, number: string, unit: string) => {
    addSeconds(found, Number(number.replaceAll('_', '')) * unitSeconds(unit.toLowerCase()))
    found.add(number)
    return ' '
  })
  rest = rest.replace(SHIFT_EXPRESSION_PATTERN, (_, base: string, shift: string) => {
    found.add(String(Number(base) * 2 ** Number(shift)))
    return ' '
  })
  rest = rest.replace(PRODUCT_EXPRESSION_PATTERN, (whole: string) => {
    found.add(
      String(
        whole.split('*').reduce((product, part) => product * Number(part.trim().replaceAll('_', '')), 1),
      ),
    )
    return ' '
  })
  for (const [number] of rest.matchAll(NUMBER)) found.add(plainNumber(number))
  for (const [word] of rest.matchAll(WORD_VALUE))
    found.add(/^(?:None|nil|undefined)$/.test(word) ? 'null' : word.toLowerCase())
  return [...found]
}

export function valuesInText(text: string): string[] {
  const found = new Set<string>()
  for (const [, number = '', unit = ''] of text.matchAll(NUMBER_WITH_UNIT_PATTERN)) {
    const amount = Number(number.replace(/[_,]/g, ''))
    const bytes = BYTE_UNIT_EXPONENTS[(unit[0] as string).toUpperCase()]
    if (/^[KMGk]/.test(unit) && bytes !== undefined) {
      found.add(String(amount * 1024 ** bytes))
      found.add(String(amount * 1000 ** bytes))
    } else addSeconds(found, amount * unitSeconds(unit))
    found.add(String(amount))
  }
  for (const value of valuesInCode(text)) found.add(value)
  return [...found]
}

function unitSeconds(unit: string): number {
  return SECONDS[unit] ?? SECONDS[unit.slice(0, 3)] ?? SECONDS[unit[0] as string] ?? 1
}

function addSeconds(found: Set<string>, seconds: number): void {
  if (Number.isSafeInteger(seconds)) found.add(String(seconds))
  if (Number.isSafeInteger(seconds * 1000)) found.add(String(seconds * 1000))
}

function plainNumber(text: string): string {
  const plain = text.replace(/[_,]/g, '')
  return /^-?\d+(?:\.\d+)?$/.test(plain) && plain.length < 16 ? String(Number(plain)) : plain
}

/** Returns true for a value that occurs on so many lines that it is meaningful only next to its name. */
export function isCommonValue(value: string): boolean {
  return /^(?:true|false|null|-?\d{1,2}|100|1000|)$/.test(value)
}
