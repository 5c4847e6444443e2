/** Color arithmetic in OKLCH, in which equal steps look equal, and the WCAG contrast rule. */

export interface Oklch {
  /** Lightness, 0 to 1. */
  l: number
  /** Chroma, 0 to about 0.37. */
  c: number
  /** Hue in degrees. */
  h: number
}

type Triple = readonly [number, number, number]

/** Parses `#abc`, `#aabbcc` or `#aabbccdd` (opacity is ignored); null for anything else. */
export function parseHex(hex: string): Oklch | null {
  const digits = /^#([\da-f]{3}|[\da-f]{4}|[\da-f]{6}|[\da-f]{8})$/i.exec(hex.trim())?.[1]
  if (!digits) return null
  const full = digits.length <= 4 ? [...digits].map((digit) => digit + digit).join('') : digits
  const channel = (index: number) => toLinear(Number.parseInt(full.slice(index * 2, index * 2 + 2), 16) / 255)
  return fromLinear([channel(0), channel(1), channel(2)])
}

export function cssColour(colour: Oklch): string {
  const shown = fitGamut(colour)
  return `oklch(${round(shown.l * 100, 2)}% ${round(shown.c, 4)} ${round(shown.h, 2)})`
}

export function hexColour(colour: Oklch): string {
  const channels = toLinearRgb(fitGamut(colour)).map((value) => {
    const linear = Math.min(1, Math.max(0, value))
    const shown = linear <= 0.0031308 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055
    return Math.round(shown * 255)
      .toString(16)
      .padStart(2, '0')
  })
  return `#${channels.join('')}`
}

/** Returns the WCAG contrast ratio of two opaque colors, 1 to 21. */
export function contrast(a: Oklch, b: Oklch): number {
  const first = luminance(a)
  const second = luminance(b)
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05)
}

/**
 * Changes the lightness of a color, away from the backgrounds, until its contrast with all of them is at least
 * `ratio`. All backgrounds must be light, or all dark.
 */
export function ensureContrast(colour: Oklch, grounds: readonly Oklch[], ratio: number): Oklch {
  const isOnLight = grounds.every((ground) => luminance(ground) > 0.18)
  let l = colour.l
  while (l > 0 && l < 1) {
    const candidate = fitGamut({ ...colour, l })
    if (grounds.every((ground) => contrast(candidate, ground) >= ratio)) return candidate
    l += isOnLight ? -0.01 : 0.01
  }
  return { l: isOnLight ? 0 : 1, c: 0, h: 0 }
}

export const WHITE: Oklch = { l: 1, c: 0, h: 0 }

function fitGamut(colour: Oklch): Oklch {
  const l = Math.min(1, Math.max(0, colour.l))
  let low = 0
  let high = colour.c
  if (isInGamut(toLinearRgb({ ...colour, l }))) return { ...colour, l }
  for (let step = 0; step < 16; step++) {
    const c = (low + high) / 2
    if (isInGamut(toLinearRgb({ ...colour, l, c }))) low = c
    else high = c
  }
  return { l, c: low, h: colour.h }
}

function isInGamut(rgb: Triple): boolean {
  return rgb.every((channel) => channel >= -0.0005 && channel <= 1.0005)
}

function luminance(colour: Oklch): number {
  const [r, g, b] = toLinearRgb(fitGamut(colour))
  return Math.max(0, 0.2126 * r + 0.7152 * g + 0.0722 * b)
}

function toLinear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
}

function fromLinear([r, g, b]: Triple): Oklch {
  const long = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const medium = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const short = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const l = 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short
  const a = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short
  const d = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short
  const c = Math.hypot(a, d)
  return { l, c: c < 0.0005 ? 0 : c, h: c < 0.0005 ? 0 : ((Math.atan2(d, a) * 180) / Math.PI + 360) % 360 }
}

function toLinearRgb({ l, c, h }: Oklch): Triple {
  const a = c * Math.cos((h * Math.PI) / 180)
  const b = c * Math.sin((h * Math.PI) / 180)
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ]
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}
