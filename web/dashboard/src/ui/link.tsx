import { useRouter } from '@tanstack/react-router'
import type { ComponentChildren, PartialAnchorHTMLAttributes } from 'preact'
import { useCallback } from 'preact/hooks'
import { parseSearch } from '../app/query-parameters.ts'
import { classes } from './classes.ts'

type Router = ReturnType<typeof useRouter>

function parseHref(href: string) {
  const { pathname, search, hash } = new URL(href, location.origin)
  return { to: pathname, search: parseSearch(search), ...(hash ? { hash: hash.slice(1) } : {}) }
}

/** Returns a function that navigates within the app: `go('/p/prj_1/feedback?status=pending')`. */
export function useGo(): (href: string, more?: { replace?: boolean }) => Promise<void> {
  const router = useRouter()
  return useCallback((href, more = {}) => router.navigate({ ...parseHref(href), ...more }), [router])
}

/** Prefetches the code and data of a page. Failures are ignored, because navigation loads it again. */
export async function prefetchPage(router: Router, href: string): Promise<void> {
  await router.preloadRoute(parseHref(href)).catch(() => undefined)
}

type LinkProps = Omit<PartialAnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'class' | 'role'> & {
  href: string
  /** `quiet` looks like the surrounding text until hovered; `none` has no styles. */
  look?: 'link' | 'quiet' | 'none'
  class?: string
  children?: ComponentChildren
}

const LOOKS = {
  link: 'text-accent-11 underline decoration-accent-7 underline-offset-3 hover:decoration-current rounded-sm',
  quiet: 'hover:underline decoration-line-strong underline-offset-3 rounded-sm',
  none: '',
}

/** Link within the app: navigates without a page load and prefetches its target. */
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
  const intend = () => void prefetchPage(router, href)
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
