import type { ComponentChildren } from 'preact'
import { ApiError } from '../../../../../src/client/call.ts'
import { explainError } from '../../api/errors.ts'
import { useSession } from '../../app/session.ts'
import { Link } from '../../ui/link.tsx'
import { usePageTitle } from '../../ui/page.tsx'
import { rich, t } from '../../words/words.ts'

export function VisitorPage({
  title,
  about,
  children,
  action,
  footer,
}: {
  title: string
  about?: ComponentChildren
  children?: ComponentChildren
  action?: ComponentChildren
  footer?: ComponentChildren
}) {
  const { version } = useSession()
  usePageTitle(title)
  return (
    <div class="flex h-full flex-col overflow-y-auto bg-rail">
      <main class="m-auto w-full max-w-[392px] px-4 py-12">
        <div class="mb-6 flex flex-col items-center text-center">
          <Mark />
          <h1
            class="mt-5 line-clamp-3 max-w-full text-20 font-semibold tracking-tight break-words"
            title={title}
          >
            {title}
          </h1>
          {about !== undefined && (
            <div class="mt-1.5 max-w-full text-balance break-words text-soft">{about}</div>
          )}
        </div>
        {children !== undefined && (
          <div class="rounded-lg border border-line bg-raised p-6 shadow-low max-md:p-5">{children}</div>
        )}
        {action}
        {footer !== undefined && (
          <div class="mt-5 text-center text-13 text-balance break-words text-soft">{footer}</div>
        )}
      </main>
      <footer class="flex flex-wrap items-center justify-center gap-x-4 gap-y-1 px-4 py-4 text-12 text-faint">
        <span>{t('Octavo {version}', { version })}</span>
        <span>
          {rich('For developers: <a>API description</a>', {
            a: (text) => (
              <Link look="quiet" class="text-soft underline" href="/openapi.json">
                {text}
              </Link>
            ),
          })}
        </span>
      </footer>
    </div>
  )
}

/** Explains why the task cannot be done. If the server rejected it, the advice is omitted: the page contains it. */
export function Explanation({ error }: { error: unknown }) {
  const { title, advice } = explainError(error)
  return <p>{error instanceof ApiError ? title : `${title} ${advice}`}</p>
}

function Mark() {
  return (
    <svg viewBox="0 0 24 24" width="40" height="40" aria-hidden="true" class="text-accent-9">
      <rect width="24" height="24" rx="6" fill="currentColor" />
      <path
        d="M7 6.5h6.5A3.5 3.5 0 0 1 17 10v7.5h-6.5A3.5 3.5 0 0 1 7 14zM10 10.25h4M10 13.25h4"
        fill="none"
        class="stroke-on-accent"
        stroke-width="1.5"
        stroke-linejoin="round"
        stroke-linecap="round"
      />
    </svg>
  )
}
