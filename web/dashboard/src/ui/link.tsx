import { useRouter } from '@tanstack/react-router'
import type { ComponentChildren, PartialAnchorHTMLAttributes } from 'preact'
import { useCallback } from 'preact/hooks'
import { parseSearch } from '../app/address.ts'
import { classes } from './classes.ts'

type Router = ReturnType<typeof useRouter>

/** An address of this app in the parts that the router takes. */
function placeOf(href: string) {
  const { pathname, search, hash } = new URL(href, location.origin)
  return { to: pathname, search: parseSearch(search), ...(hash ? { hash: hash.slice(1) } : {}) }
}

/** Goes to an address of this app: `go('/p/prj_1/feedback?status=pending')`. */
export function useGo(): (href: string, more?: { replace?: boolean }) => Promise<void> {
  const router = useRouter()
  return useCallback((href, more = {}) => router.navigate({ ...placeOf(href), ...more }), [router])
}

/** Fetches the page of an address, code and content. What fails is fetched again by who goes there. */
export async function fetchAhead(router: Router, href: string): Promise<void> {
  await router.preloadRoute(placeOf(href)).catch(() => undefined)
}

type LinkProps = Omit<PartialAnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'class' | 'role'> & {
  href: string
  /** `quiet` looks like the text around it until it is pointed at; `none` brings its own looks. */
  look?: 'link' | 'quiet' | 'none'
  class?: string
  children?: ComponentChildren
}

const LOOKS = {
  link: 'text-accent-11 underline decoration-accent-7 underline-offset-3 hover:decoration-current rounded-sm',
  quiet: 'hover:underline decoration-line-strong underline-offset-3 rounded-sm',
  none: '',
}

/** A link within the app changes the page without loading it anew, and fetches ahead what it leads to. */
export function Link({ href, look = 'link', class: className, children, onClick, ...more }: LinkProps) {
  const router = useRouter()
  const go = useGo()
  const isOutside = !href.startsWith('/') || href.startsWith('/_') || href.startsWith('/openapi')
  const looks = classes(LOOKS[look], className)
  if (isOutside || more.target !== undefined || more.download !== undefined) {
    return (
      <a href={href} class={looks} rel="noreferrer" {...more}>
        {children}
      </a>
    )
  }
  const intend = () => void fetchAhead(router, href)
  return (
    <a
      href={href}
      class={looks}
      {...more}
      onPointerEnter={intend}
      onFocus={intend}
      onTouchStart={intend}
      onClick={(event) => {
        onClick?.(event)
        if (event.defaultPrevented || event.button !== 0) return
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        void go(href)
      }}
    >
      {children}
    </a>
  )
}
