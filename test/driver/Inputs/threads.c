#include <stdio.h>
#include "threads.h"

int main(void) {
    double value, sum;
    gradient(50000, &value, &sum);
    printf("%.1f\n%.1f\n", value, sum);
    return 0;
}
