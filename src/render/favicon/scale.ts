/**
 * Pictures made smaller: each new pixel is the mean of the area that it covers. Means are taken of light and not of
 * the numbers that stand for it, and weighed by opacity, so that thin lines keep their strength and edges get no
 * fringe of the colour of what cannot be seen.
 */
import { emptyPicture, type Picture } from './picture.ts'

/** Light, 0 to 1, of each value of a channel. */
export const LIGHT = Float64Array.from({ length: 256 }, (_, value) => {
  const share = value / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
})

/** Light of a picture line by line: that of each channel times the opacity, then the opacity. */
interface Lights {
  width: number
  height: number
  /** Good until the next call. */
  line(y: number): Float32Array
}

/** Pixels of the longer side beyond which a picture is made smaller once, for all sizes that are then made of it. */
const BASE_SIDE = 576

/**
 * Makes squares with the whole picture in their middle, none larger than the picture's longer side. One whose side is a
 * whole part of that of an earlier one is made of it: the mean of equal means is the mean of all.
 */
export function squaresOf(picture: Picture): (side: number) => Picture {
  const lights = lightOf(picture)
  const base = Math.max(picture.width, picture.height) > BASE_SIDE * 2 ? scaled(lights, BASE_SIDE) : lights
  const made = new Map<number, Lights>()
  return (side) => {
    const multiple = [...made.keys()].filter((earlier) => earlier % side === 0).sort((a, b) => a - b)[0]
    const small = scaled((multiple && made.get(multiple)) || base, side)
    made.set(side, small)
    return centred(pictureOf(small), emptyPicture(side, side))
  }
}

/** The picture laid over the middle of another one, which is changed. */
export function centred(picture: Picture, ground: Picture): Picture {
  const left = Math.floor((ground.width - picture.width) / 2)
  const top = Math.floor((ground.height - picture.height) / 2)
  for (let y = 0; y < picture.height; y++) {
    for (let x = 0; x < picture.width; x++) {
      const from = (y * picture.width + x) * 4
      layPixel(picture.data, from, ground.data, ((y + top) * ground.width + x + left) * 4)
    }
  }
  return ground
}

/** Over a ground that is opaque or empty. Colours are mixed as browsers mix them: by their numbers. */
function layPixel(over: Uint8Array, from: number, ground: Uint8Array, to: number): void {
  const opacity = over[from + 3] as number
  if (ground[to + 3] === 0) {
    ground.set(over.subarray(from, from + 4), to)
    return
  }
  for (let channel = 0; channel < 3; channel++) {
    const above = over[from + channel] as number
    const below = ground[to + channel] as number
    ground[to + channel] = Math.round((above * opacity + below * (255 - opacity)) / 255)
  }
}

/** `side` is the longer one. */
function scaled(lights: Lights, side: number): Lights {
  if (side === Math.max(lights.width, lights.height)) return lights
  const scale = side / Math.max(lights.width, lights.height)
  const columns = Math.max(1, Math.round(lights.width * scale))
  const rows = Math.max(1, Math.round(lights.height * scale))
  const small = shortened(narrowed(lights, columns), columns, lights.height, rows)
  const ofLine = columns * 4
  return { width: columns, height: rows, line: (y) => small.subarray(y * ofLine, (y + 1) * ofLine) }
}

/** Only a line at a time: those of a large picture would be hundreds of megabytes. */
function lightOf({ width, height, data }: Picture): Lights {
  const line = new Float32Array(width * 4)
  return {
    width,
    height,
    line: (y) => {
      for (let at = 0, from = y * width * 4; at < line.length; at += 4, from += 4) {
        const opacity = (data[from + 3] as number) / 255
        line[at] = (LIGHT[data[from] as number] as number) * opacity
        line[at + 1] = (LIGHT[data[from + 1] as number] as number) * opacity
        line[at + 2] = (LIGHT[data[from + 2] as number] as number) * opacity
        line[at + 3] = opacity
      }
      return line
    },
  }
}

function narrowed({ width, height, line }: Lights, columns: number): Float32Array {
  const narrow = new Float32Array(columns * height * 4)
  const spans = spansOf(width, columns)
  for (let y = 0; y < height; y++) {
    const light = line(y)
    for (const [column, { first, weights }] of spans.entries())
      addWeighed(light, first * 4, 4, weights, narrow, (y * columns + column) * 4)
  }
  return narrow
}

function shortened(light: Float32Array, columns: number, height: number, rows: number): Float32Array {
  const short = new Float32Array(columns * rows * 4)
  for (const [row, { first, weights }] of spansOf(height, rows).entries())
    for (let x = 0; x < columns; x++)
      addWeighed(light, (first * columns + x) * 4, columns * 4, weights, short, (row * columns + x) * 4)
  return short
}

/** Sums pixels that lie `step` numbers apart. */
function addWeighed(
  light: Float32Array,
  start: number,
  step: number,
  weights: readonly number[],
  sums: Float32Array,
  to: number,
): void {
  let [red, green, blue, opacity] = [0, 0, 0, 0]
  let from = start
  for (const weight of weights) {
    red += (light[from] as number) * weight
    green += (light[from + 1] as number) * weight
    blue += (light[from + 2] as number) * weight
    opacity += (light[from + 3] as number) * weight
    from += step
  }
  sums[to] = red
  sums[to + 1] = green
  sums[to + 2] = blue
  sums[to + 3] = opacity
}

interface Span {
  first: number
  /** Share of the new pixel that each old one takes; together 1. */
  weights: readonly number[]
}

/** Which old pixels lie under each new one. */
function spansOf(length: number, count: number): Span[] {
  return Array.from({ length: count }, (_, index) => {
    const start = (index * length) / count
    const end = ((index + 1) * length) / count
    const first = Math.floor(start)
    const last = Math.min(length, Math.ceil(end - 1e-9))
    const weights = Array.from({ length: last - first }, (_, step) => {
      const covered = Math.min(end, first + step + 1) - Math.max(start, first + step)
      return covered / (end - start)
    })
    return { first, weights }
  })
}

function pictureOf({ width, height, line }: Lights): Picture {
  const picture = emptyPicture(width, height)
  for (let y = 0; y < height; y++) layLine(line(y), picture.data, y * width * 4)
  return picture
}

function layLine(light: Float32Array, bytes: Uint8Array, start: number): void {
  for (let at = 0, to = start; at < light.length; at += 4, to += 4) {
    const opacity = light[at + 3] as number
    bytes[to + 3] = Math.round(opacity * 255)
    if (bytes[to + 3] === 0) continue
    for (let channel = 0; channel < 3; channel++)
      bytes[to + channel] = numberOf((light[at + channel] as number) / opacity)
  }
}

function numberOf(light: number): number {
  const share = light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055
  return Math.min(255, Math.max(0, Math.round(share * 255)))
}
