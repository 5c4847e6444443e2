/** What the picture beside a link to a page is drawn from: plain data, so that the same data is the same picture. */

/** What all pictures of a site have in common. */
export interface ThumbnailLook {
  site: string
  /** `#rrggbb`. */
  ground: string
  ink: string
  quiet: string
  accent: string
  /** PNG of LOGO_WIDTH by LOGO_HEIGHT as base64; null where the name of the site stands in its place. */
  logo: string | null
}

export interface Thumbnail extends ThumbnailLook {
  title: string
  /** Empty for none. */
  section: string
}

/** Pixels; what chats and networks ask for. */
export const WIDTH = 1200
export const HEIGHT = 630
export const LOGO_WIDTH = 640
export const LOGO_HEIGHT = 72
