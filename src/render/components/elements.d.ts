/** Elements that only exist between the isolate and the steps after it. */
import type { JSX } from 'preact'

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      /** Content of the right column. */
      'o-side': JSX.HTMLAttributes<HTMLElement>
      /** Only in the Markdown twin of the page. */
      'o-agents': JSX.HTMLAttributes<HTMLElement>
      /** Only in the page. */
      'o-humans': JSX.HTMLAttributes<HTMLElement>
    }
  }
}
