/** What draws the elements of Markdown, also where the script of an island holds the text of a Markdown file. */
export { H1, H2, H3, H4, H5, H6 } from './headings.tsx'
export { Iframe, Img, Input, Pre, Table, Video } from './media.tsx'
