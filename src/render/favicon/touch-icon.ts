/**
 * The icon of home screens, which fill what is transparent with black and cut the corners off. A picture that covers
 * its square is used as it is; any other one gets a ground and a margin.
 */
import { emptyPicture, isOpaque, type Picture } from './picture.ts'
import { centred, LIGHT } from './scale.ts'

/** Pixels; what the densest phone screens ask for. */
export const TOUCH_SIDE = 180
/** Leaves a ninth free on each side. */
const INNER_SIDE = 140
/** Shows whether a picture covers its square, and how light it is. */
const PROBE_SIDE = 32
/** Contrast below which a picture cannot be told from a white ground. */
const LEAST_CONTRAST = 1.5
const WHITE = '#ffffff'

/** `squareAt` answers the picture as a square; `dark` is the ground for pictures that white would swallow, `#rrggbb`. */
export function touchIcon(squareAt: (side: number) => Picture, dark: string): Picture {
  const small = squareAt(PROBE_SIDE)
  const ground = filled(TOUCH_SIDE, contrastWithWhite(small) < LEAST_CONTRAST ? dark : WHITE)
  return centred(squareAt(isOpaque(small) ? TOUCH_SIDE : INNER_SIDE), ground)
}

function filled(side: number, colour: string): Picture {
  const pixel = [...Buffer.from(colour.slice(1), 'hex'), 255]
  const picture = emptyPicture(side, side)
  for (let at = 0; at < picture.data.length; at += 4) picture.data.set(pixel, at)
  return picture
}

/** Of the mean of what can be seen; as WCAG counts it, 1 to 21. */
function contrastWithWhite({ data }: Picture): number {
  let light = 0
  let seen = 0
  for (let at = 0; at < data.length; at += 4) {
    const opacity = data[at + 3] as number
    const [red, green, blue] = [data[at], data[at + 1], data[at + 2]].map((value) => LIGHT[value as number])
    light += (0.2126 * (red as number) + 0.7152 * (green as number) + 0.0722 * (blue as number)) * opacity
    seen += opacity
  }
  return seen === 0 ? 1 : 1.05 / (light / seen + 0.05)
}
