/** Elements that the isolate writes and later steps replace. */
import type { JSX } from 'preact'

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'o-side': JSX.HTMLAttributes<HTMLElement>
      /** Only in the Markdown version. */
      'o-agents': JSX.HTMLAttributes<HTMLElement>
      /** Not in the Markdown version. */
      'o-humans': JSX.HTMLAttributes<HTMLElement>
    }
  }
}
