import type { ProjectDomain } from '../../../../../src/features/projects/operations/domains.ts'
import type { ProjectDetail } from '../../../../../src/features/projects/operations/projects.ts'
import { listOf } from '../../forms/draft.ts'
import type { Draft } from '../../forms/field-spec.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { plural, rich, t } from '../../words/words.ts'
import { DomainBadge, DomainProof } from './domain-proof.tsx'
import { ProjectForm } from './project-form.tsx'

export function DomainSettings({ project }: { project: ProjectDetail }) {
  const { provesDomains, domainStates, id } = project
  /** Without domain verification, only pending domains have a state to show. */
  const stateOf = (name: string): ProjectDomain | undefined =>
    domainStates.find(({ domain, state }) => domain === name && (provesDomains || state === 'pending'))
  return (
    <ProjectForm
      project={project}
      question={removalQuestion}
      fields={(_, saved) => [
        {
          name: 'domains',
          kind: 'rows',
          label: t('Domains'),
          help: [
            t(
              'Host names of the site. Point each one here with a CNAME or A record. The first is the main domain, used in sitemaps and link previews.',
            ),
            provesDomains && t('After you save a new domain, you see how to verify it.'),
          ]
            .filter(Boolean)
            .join(' '),
          rows: {
            rowLabel: (number) => t('Domain {number}', { number }),
            addLabel: t('Add a domain'),
            example: 'docs.example.com',
            fixed: saved.domains,
            least: 1,
            beside: (name, index, move) => {
              const state = stateOf(name)
              return (
                <>
                  {state !== undefined && <DomainBadge one={state} />}
                  {index === 0 && <Badge>{t('main', { context: 'domain' })}</Badge>}
                  {index > 0 && saved.domains.includes(name) && (
                    <Button size="small" look="quiet" onClick={() => move(0)}>
                      {t('Make main')}
                    </Button>
                  )}
                </>
              )
            },
            below: (name) => {
              const state = stateOf(name)
              return state === undefined ? null : <DomainProof projectId={id} one={state} />
            },
          },
        },
      ]}
    />
  )
}

/** Warns that removed domains stop working, and that another main domain changes the URL in links. */
function removalQuestion(draft: Draft, before: Draft) {
  const domains = listOf(draft, 'domains')
  const saved = listOf(before, 'domains')
  const gone = saved.filter((name) => !domains.includes(name))
  const strong = (text: string) => <strong class="text-text">{text}</strong>
  if (gone.length > 0)
    return {
      title: plural(gone.length, 'Remove this domain?', 'Remove these domains?'),
      name: gone[0] ?? '',
      action: plural(gone.length, 'Remove it', 'Remove them'),
      text: (
        <p>
          {rich(
            'The site is no longer available at {domains}, and another organization on this server can claim the name. Exported bundles do not change.',
            { domains: strong(gone.join(', ')) },
          )}
        </p>
      ),
    }
  const [main = ''] = domains
  if (main === saved[0] || !saved.includes(main)) return null
  return {
    title: t('Change the main domain?'),
    action: t('Change it'),
    look: 'primary' as const,
    text: (
      <p>
        {rich(
          'From the next deployment, sitemaps, link previews and search engines use {domain}. The other domains keep working.',
          { domain: strong(main) },
        )}
      </p>
    ),
  }
}
