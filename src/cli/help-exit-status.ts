export const EXIT_STATUS = `Exit status: 0 well, 1 a cell failed or there is no answer, 2 wrong use, 3 no sandbox could start,
4 model unreachable or refused, 124 time limit, 130 interrupted.`;
