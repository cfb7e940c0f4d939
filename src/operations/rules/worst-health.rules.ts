import type { HealthItemResponse } from '../dto/system.dto';

const BY_SEVERITY = ['off', 'up', 'down'] as const;

const severityOf = ({ status }: HealthItemResponse): number => BY_SEVERITY.indexOf(status);

/**
 * Merges the health items of several workers, in the order of the first: of each name the worst. A job that only the
 * first worker runs is `off` in the others.
 */
export function worstOf([first = [], ...others]: HealthItemResponse[][]): HealthItemResponse[] {
  return first.map((item) => {
    const alike = others.flatMap((items) => items.filter(({ name }) => name === item.name));
    return alike.reduce((worst, other) => (severityOf(other) > severityOf(worst) ? other : worst), item);
  });
}
