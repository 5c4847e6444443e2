import type { AskedRow } from '../../../../../src/features/assistant/operations/questions.ts'
import { classes } from '../../ui/classes.ts'
import { Icon } from '../../ui/icon.tsx'
import { Link } from '../../ui/link.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { plural, t } from '../../words/words.ts'
import { RowCheckbox } from '../feedback/row-checkbox.tsx'
import { languageName, RESOLUTION_LABELS } from './question-labels.ts'

interface QuestionRowProps {
  question: AskedRow
  href: string
  isOpen: boolean
  isChosen: boolean
  isChoosing: boolean
  /** Null for members who may not hand questions to the agent. */
  onChoose: ((isRange: boolean) => void) | null
}

export function QuestionRow({ question, href, isOpen, isChosen, isChoosing, onChoose }: QuestionRowProps) {
  const { label, icon, tone } = RESOLUTION_LABELS[question.resolution]
  const words = question.question.replace(/\s+/g, ' ').trim()
  return (
    <li
      class={classes(
        'group flex items-stretch border-b border-line',
        isOpen || isChosen ? 'bg-selected' : 'hover:bg-hover',
      )}
    >
      {onChoose && (
        <RowCheckbox
          label={t('Select: {question}', { question: words.slice(0, 80) })}
          isOn={isChosen}
          isShown={isChosen || isChoosing}
          onToggle={onChoose}
        />
      )}
      <Link
        look="none"
        href={href}
        aria-current={isOpen ? 'true' : undefined}
        class={classes(
          'min-w-0 flex-1 py-2 pr-4 outline-offset-[-2px]',
          onChoose === null ? 'pl-6 max-md:pl-4' : 'pl-1',
        )}
      >
        <span class="flex min-w-0 items-center gap-2 text-13">
          <Icon name={icon} label={label} class={classes('shrink-0', tone)} />
          <span class="min-w-0 flex-1 truncate text-left" dir="auto">
            <PlainText text={words} />
          </span>
          <RelativeTime at={question.at} class="shrink-0 text-12 text-faint" />
        </span>
        <span class="mt-0.5 flex min-w-0 items-center gap-3 pl-6 text-12 whitespace-nowrap text-faint">
          <span class="min-w-0 flex-1 truncate font-mono">
            <PlainText text={question.path ?? t('no page')} />
          </span>
          {question.agentJobs > 0 && (
            <span title={plural(question.agentJobs, '{count} agent job', '{count} agent jobs')}>
              <Icon name="bot" size={14} label={t('With an agent job')} />
            </span>
          )}
          {question.language !== null && (
            <span title={languageName(question.language)}>
              <PlainText text={question.language} />
            </span>
          )}
          <Rating helpful={question.helpful} />
        </span>
      </Link>
    </li>
  )
}

export function Rating({ helpful }: { helpful: boolean | null }) {
  if (helpful === null) return null
  return (
    <Icon
      name={helpful ? 'thumbs-up' : 'thumbs-down'}
      size={14}
      label={helpful ? t('Helpful') : t('Not helpful')}
      class={helpful ? 'text-success' : 'text-danger'}
    />
  )
}
