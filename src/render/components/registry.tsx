/** Components that pages may use without an import, and components for Markdown elements. */
import type { FunctionComponent } from 'preact'
import { ApiChoice, ApiPanel } from './api.tsx'
import type { AuthorProps } from './author-props.tsx'
import { Panel, RequestExample, ResponseExample } from './code.tsx'
import { H1, H2, H3, H4, H5, H6, Iframe, Img, Input, Pre, Table, Video } from './island-elements.ts'
import * as parts from './island-parts.tsx'
import { Snippet } from './small-parts.tsx'
import { TreeFile } from './tree.tsx'

export const components: Record<string, FunctionComponent<AuthorProps>> = {
  ...parts,
  // Not available in islands, because these names are browser globals.
  File: TreeFile,
  Image: Img,
  // Not available in islands, because these depend on their position in the page.
  Panel,
  RequestExample,
  ResponseExample,
  Snippet,
  a: parts.Link,
  h1: H1,
  h2: H2,
  h3: H3,
  h4: H4,
  h5: H5,
  h6: H6,
  iframe: Iframe,
  img: Img,
  input: Input,
  'octavo:choice': ApiChoice,
  'octavo:panel': ApiPanel,
  pre: Pre,
  table: Table,
  video: Video,
}
