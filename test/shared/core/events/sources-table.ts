import { INTERRUPTION_SOURCES } from '../../../../shared/core/events/interruption-causes';

/** The interruption sources as the docs show them: a Markdown table. */
export function sourcesTable(): string {
  const rows = INTERRUPTION_SOURCES.map(
    ({ cause, onByDefault, meaning, detailType }) =>
      `| \`${cause}\` | ${onByDefault ? 'yes' : 'no'} | ${meaning} | ${detailType} |`,
  );
  return ['| `on` | by default | meaning | EventBridge detail type |', '|---|---|---|---|', ...rows].join('\n');
}
