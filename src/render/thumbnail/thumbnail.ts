/** Data from which a link preview image is drawn; equal data gives an equal image. */

export interface ThumbnailLook {
  site: string
  /** `#rrggbb`. */
  ground: string
  ink: string
  quiet: string
  accent: string
  /** PNG of LOGO_WIDTH by LOGO_HEIGHT as base64; null to show the site's name instead. */
  logo: string | null
}

export interface Thumbnail extends ThumbnailLook {
  title: string
  /** Empty if the page has no section. */
  section: string
}

/** In pixels; the size expected by chats and social networks. */
export const WIDTH = 1200
export const HEIGHT = 630
export const LOGO_WIDTH = 640
export const LOGO_HEIGHT = 72
