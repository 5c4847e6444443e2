/** One favicon file to the icons that are made of it. */
import { type IcoEntry, icoFile } from './ico.ts'
import { encodePng, type Picture } from './picture.ts'
import { readPng } from './read-png.ts'
import { squaresOf } from './scale.ts'
import { TOUCH_SIDE, touchIcon } from './touch-icon.ts'

export interface IconJob {
  kind: 'png' | 'svg'
  content: Uint8Array | string
  /** Ground of the home screen's icon when the favicon cannot be seen on white; `#rrggbb`. */
  darkGround: string
}

export interface MadeIcons {
  /** For tabs, lists and shortcuts: PNG files by the pixels of one side, the smallest first. */
  icons: IcoEntry[]
  /** Of a PNG file that is to be given beside them, since they are smaller or it has one of their sizes. */
  given: { width: number; height: number } | null
  /** PNG for home screens; null when the file is too small for it. */
  touch: Uint8Array | null
  /** For who asks for `/favicon.ico` without having read a page. */
  ico: Uint8Array
}

/** Tabs of plain and of dense screens, and what Android makes a shortcut of. */
const ICON_SIDES = [16, 32, 192]
/** Browsers that draw have the drawing; this is for the others. */
const FALLBACK_SIDE = 32
const ICO_SIDES = [16, 32]

/** Throws UnusableFaviconError. */
export async function makeIcons({ kind, content, darkGround }: IconJob): Promise<MadeIcons> {
  return kind === 'svg'
    ? iconsOfDrawing(String(content), darkGround)
    : iconsOfPng(content as Uint8Array, darkGround)
}

async function iconsOfDrawing(svg: string, darkGround: string): Promise<MadeIcons> {
  const { openDrawing } = await import('./draw-svg.ts') // large, and pictures do not need it
  const { squareAt } = await openDrawing(svg)
  const entries = entriesOf(squareAt, ICO_SIDES)
  return {
    icons: entries.filter(({ side }) => side === FALLBACK_SIDE),
    given: null,
    touch: encodePng(touchIcon(squareAt, darkGround)),
    ico: icoFile(entries),
  }
}

/** Nothing is made larger than it is. */
function iconsOfPng(bytes: Uint8Array, darkGround: string): MadeIcons {
  const picture = readPng(bytes)
  const { width, height } = picture
  const side = Math.max(width, height)
  const squareAt = squaresOf(picture)
  const isSquare = width === height
  const iconSides = ICON_SIDES.filter((wanted) => wanted < side || (wanted === side && !isSquare))
  const icoSides = ICO_SIDES.map((wanted) => Math.min(wanted, side))
  const entries = entriesOf(squareAt, [...iconSides, ...icoSides])
  const isGiven = !iconSides.includes(Math.max(...ICON_SIDES))
  return {
    icons: entries.filter((entry) => iconSides.includes(entry.side)),
    given: isGiven ? { width, height } : null,
    touch: side >= TOUCH_SIDE ? encodePng(touchIcon(squareAt, darkGround)) : null,
    ico: icoFile(entries.filter((entry) => icoSides.includes(entry.side))),
  }
}

/** Each size once, the smallest first. The largest is made first, since smaller ones can be made of it. */
function entriesOf(squareAt: (side: number) => Picture, sides: readonly number[]): IcoEntry[] {
  const falling = [...new Set(sides)].sort((a, b) => b - a)
  return falling.map((side) => ({ side, png: encodePng(squareAt(side)) })).reverse()
}
