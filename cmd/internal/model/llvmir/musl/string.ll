; ModuleID = '-'
source_filename = "-"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@strtok.p = internal global ptr null, align 8

@stpcpy = weak dso_local alias ptr (ptr, ptr), ptr @__stpcpy
@stpncpy = weak dso_local alias ptr (ptr, ptr, i64), ptr @__stpncpy
@strcasecmp_l = weak dso_local alias i32 (ptr, ptr, ptr), ptr @__strcasecmp_l
@strchrnul = weak dso_local alias ptr (ptr, i32), ptr @__strchrnul
@strncasecmp_l = weak dso_local alias i32 (ptr, ptr, i64, ptr), ptr @__strncasecmp_l

; Function Attrs: noinline nounwind
define dso_local ptr @index(ptr noundef %0, i32 noundef %1) #0 !dbg !9 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
  store i32 %1, ptr %4, align 4
  %5 = load ptr, ptr %3, align 8, !dbg !13
  %6 = load i32, ptr %4, align 4, !dbg !13
  %7 = call ptr @strchr(ptr noundef %5, i32 noundef %6) #3, !dbg !13
  ret ptr %7, !dbg !13
}

; Function Attrs: noinline nounwind
define dso_local ptr @strchr(ptr noundef %0, i32 noundef %1) #0 !dbg !14 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  %5 = alloca ptr, align 8
  store ptr %0, ptr %3, align 8
  store i32 %1, ptr %4, align 4
  %6 = load ptr, ptr %3, align 8, !dbg !16
  %7 = load i32, ptr %4, align 4, !dbg !16
  %8 = call ptr @__strchrnul(ptr noundef %6, i32 noundef %7) #3, !dbg !16
  store ptr %8, ptr %5, align 8, !dbg !16
  %9 = load ptr, ptr %5, align 8, !dbg !17
  %10 = load i8, ptr %9, align 1, !dbg !17
  %11 = zext i8 %10 to i32, !dbg !17
  %12 = load i32, ptr %4, align 4, !dbg !17
  %13 = trunc i32 %12 to i8, !dbg !17
  %14 = zext i8 %13 to i32, !dbg !17
  %15 = icmp eq i32 %11, %14, !dbg !17
  br i1 %15, label %16, label %18, !dbg !17

16:                                               ; preds = %2
  %17 = load ptr, ptr %5, align 8, !dbg !17
  br label %19, !dbg !17

18:                                               ; preds = %2
  br label %19, !dbg !17

19:                                               ; preds = %18, %16
  %20 = phi ptr [ %17, %16 ], [ null, %18 ], !dbg !17
  ret ptr %20, !dbg !17
}

; Function Attrs: noinline nounwind
define dso_local ptr @rindex(ptr noundef %0, i32 noundef %1) #0 !dbg !18 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
  store i32 %1, ptr %4, align 4
  %5 = load ptr, ptr %3, align 8, !dbg !20
  %6 = load i32, ptr %4, align 4, !dbg !20
  %7 = call ptr @strrchr(ptr noundef %5, i32 noundef %6) #3, !dbg !20
  ret ptr %7, !dbg !20
}

; Function Attrs: noinline nounwind
define dso_local ptr @strrchr(ptr noundef %0, i32 noundef %1) #0 !dbg !21 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
  store i32 %1, ptr %4, align 4
  %5 = load ptr, ptr %3, align 8, !dbg !23
  %6 = load i32, ptr %4, align 4, !dbg !23
  %7 = load ptr, ptr %3, align 8, !dbg !23
  %8 = call i64 @strlen(ptr noundef %7) #3, !dbg !23
  %9 = add i64 %8, 1, !dbg !23
  %10 = call ptr @__memrchr(ptr noundef %5, i32 noundef %6, i64 noundef %9) #3, !dbg !23
  ret ptr %10, !dbg !23
}

; Function Attrs: noinline nounwind
define hidden ptr @__stpcpy(ptr noalias noundef %0, ptr noalias noundef %1) #0 !dbg !24 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  store ptr %0, ptr %3, align 8
  store ptr %1, ptr %4, align 8
  br label %5, !dbg !26

5:                                                ; preds = %11, %2
  %6 = load ptr, ptr %4, align 8, !dbg !26
  %7 = load i8, ptr %6, align 1, !dbg !26
  %8 = load ptr, ptr %3, align 8, !dbg !26
  store i8 %7, ptr %8, align 1, !dbg !26
  %9 = icmp ne i8 %7, 0, !dbg !26
  br i1 %9, label %10, label %16, !dbg !26

10:                                               ; preds = %5
  br label %11, !dbg !26

11:                                               ; preds = %10
  %12 = load ptr, ptr %4, align 8, !dbg !26
  %13 = getelementptr inbounds i8, ptr %12, i32 1, !dbg !26
  store ptr %13, ptr %4, align 8, !dbg !26
  %14 = load ptr, ptr %3, align 8, !dbg !26
  %15 = getelementptr inbounds i8, ptr %14, i32 1, !dbg !26
  store ptr %15, ptr %3, align 8, !dbg !26
  br label %5, !dbg !26, !llvm.loop !27

16:                                               ; preds = %5
  %17 = load ptr, ptr %3, align 8, !dbg !28
  ret ptr %17, !dbg !28
}

; Function Attrs: noinline nounwind
define hidden ptr @__stpncpy(ptr noalias noundef %0, ptr noalias noundef %1, i64 noundef %2) #0 !dbg !29 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i64, align 8
  store ptr %0, ptr %4, align 8
  store ptr %1, ptr %5, align 8
  store i64 %2, ptr %6, align 8
  br label %7, !dbg !31

7:                                                ; preds = %19, %3
  %8 = load i64, ptr %6, align 8, !dbg !31
  %9 = icmp ne i64 %8, 0, !dbg !31
  br i1 %9, label %10, label %16, !dbg !31

10:                                               ; preds = %7
  %11 = load ptr, ptr %5, align 8, !dbg !31
  %12 = load i8, ptr %11, align 1, !dbg !31
  %13 = load ptr, ptr %4, align 8, !dbg !31
  store i8 %12, ptr %13, align 1, !dbg !31
  %14 = sext i8 %12 to i32, !dbg !31
  %15 = icmp ne i32 %14, 0, !dbg !31
  br label %16

16:                                               ; preds = %10, %7
  %17 = phi i1 [ false, %7 ], [ %15, %10 ], !dbg !32
  br i1 %17, label %18, label %26, !dbg !31

18:                                               ; preds = %16
  br label %19, !dbg !31

19:                                               ; preds = %18
  %20 = load i64, ptr %6, align 8, !dbg !31
  %21 = add i64 %20, -1, !dbg !31
  store i64 %21, ptr %6, align 8, !dbg !31
  %22 = load ptr, ptr %5, align 8, !dbg !31
  %23 = getelementptr inbounds i8, ptr %22, i32 1, !dbg !31
  store ptr %23, ptr %5, align 8, !dbg !31
  %24 = load ptr, ptr %4, align 8, !dbg !31
  %25 = getelementptr inbounds i8, ptr %24, i32 1, !dbg !31
  store ptr %25, ptr %4, align 8, !dbg !31
  br label %7, !dbg !31, !llvm.loop !33

26:                                               ; preds = %16
  br label %27, !dbg !31

27:                                               ; preds = %26
  %28 = load ptr, ptr %4, align 8, !dbg !34
  %29 = load i64, ptr %6, align 8, !dbg !34
  %30 = call ptr @memset(ptr noundef %28, i32 noundef 0, i64 noundef %29) #3, !dbg !34
  %31 = load ptr, ptr %4, align 8, !dbg !35
  ret ptr %31, !dbg !35
}

declare ptr @memset(ptr noundef, i32 noundef, i64 noundef) #1

; Function Attrs: noinline nounwind
define dso_local i32 @strcasecmp(ptr noundef %0, ptr noundef %1) #0 !dbg !36 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  store ptr %0, ptr %3, align 8
  store ptr %1, ptr %4, align 8
  %7 = load ptr, ptr %3, align 8, !dbg !38
  store ptr %7, ptr %5, align 8, !dbg !38
  %8 = load ptr, ptr %4, align 8, !dbg !38
  store ptr %8, ptr %6, align 8, !dbg !38
  br label %9, !dbg !39

9:                                                ; preds = %42, %2
  %10 = load ptr, ptr %5, align 8, !dbg !39
  %11 = load i8, ptr %10, align 1, !dbg !39
  %12 = zext i8 %11 to i32, !dbg !39
  %13 = icmp ne i32 %12, 0, !dbg !39
  br i1 %13, label %14, label %39, !dbg !39

14:                                               ; preds = %9
  %15 = load ptr, ptr %6, align 8, !dbg !39
  %16 = load i8, ptr %15, align 1, !dbg !39
  %17 = zext i8 %16 to i32, !dbg !39
  %18 = icmp ne i32 %17, 0, !dbg !39
  br i1 %18, label %19, label %39, !dbg !39

19:                                               ; preds = %14
  %20 = load ptr, ptr %5, align 8, !dbg !39
  %21 = load i8, ptr %20, align 1, !dbg !39
  %22 = zext i8 %21 to i32, !dbg !39
  %23 = load ptr, ptr %6, align 8, !dbg !39
  %24 = load i8, ptr %23, align 1, !dbg !39
  %25 = zext i8 %24 to i32, !dbg !39
  %26 = icmp eq i32 %22, %25, !dbg !39
  br i1 %26, label %37, label %27, !dbg !39

27:                                               ; preds = %19
  %28 = load ptr, ptr %5, align 8, !dbg !39
  %29 = load i8, ptr %28, align 1, !dbg !39
  %30 = zext i8 %29 to i32, !dbg !39
  %31 = call i32 @tolower(i32 noundef %30) #3, !dbg !39
  %32 = load ptr, ptr %6, align 8, !dbg !39
  %33 = load i8, ptr %32, align 1, !dbg !39
  %34 = zext i8 %33 to i32, !dbg !39
  %35 = call i32 @tolower(i32 noundef %34) #3, !dbg !39
  %36 = icmp eq i32 %31, %35, !dbg !39
  br label %37, !dbg !39

37:                                               ; preds = %27, %19
  %38 = phi i1 [ true, %19 ], [ %36, %27 ]
  br label %39

39:                                               ; preds = %37, %14, %9
  %40 = phi i1 [ false, %14 ], [ false, %9 ], [ %38, %37 ], !dbg !40
  br i1 %40, label %41, label %47, !dbg !39

41:                                               ; preds = %39
  br label %42, !dbg !39

42:                                               ; preds = %41
  %43 = load ptr, ptr %5, align 8, !dbg !39
  %44 = getelementptr inbounds i8, ptr %43, i32 1, !dbg !39
  store ptr %44, ptr %5, align 8, !dbg !39
  %45 = load ptr, ptr %6, align 8, !dbg !39
  %46 = getelementptr inbounds i8, ptr %45, i32 1, !dbg !39
  store ptr %46, ptr %6, align 8, !dbg !39
  br label %9, !dbg !39, !llvm.loop !41

47:                                               ; preds = %39
  %48 = load ptr, ptr %5, align 8, !dbg !42
  %49 = load i8, ptr %48, align 1, !dbg !42
  %50 = zext i8 %49 to i32, !dbg !42
  %51 = call i32 @tolower(i32 noundef %50) #3, !dbg !42
  %52 = load ptr, ptr %6, align 8, !dbg !42
  %53 = load i8, ptr %52, align 1, !dbg !42
  %54 = zext i8 %53 to i32, !dbg !42
  %55 = call i32 @tolower(i32 noundef %54) #3, !dbg !42
  %56 = sub nsw i32 %51, %55, !dbg !42
  ret i32 %56, !dbg !42
}

declare i32 @tolower(i32 noundef) #1

; Function Attrs: noinline nounwind
define dso_local i32 @__strcasecmp_l(ptr noundef %0, ptr noundef %1, ptr noundef %2) #0 !dbg !43 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  store ptr %0, ptr %4, align 8
  store ptr %1, ptr %5, align 8
  store ptr %2, ptr %6, align 8
  %7 = load ptr, ptr %4, align 8, !dbg !44
  %8 = load ptr, ptr %5, align 8, !dbg !44
  %9 = call i32 @strcasecmp(ptr noundef %7, ptr noundef %8) #3, !dbg !44
  ret i32 %9, !dbg !44
}

; Function Attrs: noinline nounwind
define dso_local ptr @strcat(ptr noalias noundef %0, ptr noalias noundef %1) #0 !dbg !45 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  store ptr %0, ptr %3, align 8
  store ptr %1, ptr %4, align 8
  %5 = load ptr, ptr %3, align 8, !dbg !47
  %6 = load ptr, ptr %3, align 8, !dbg !47
  %7 = call i64 @strlen(ptr noundef %6) #3, !dbg !47
  %8 = getelementptr inbounds i8, ptr %5, i64 %7, !dbg !47
  %9 = load ptr, ptr %4, align 8, !dbg !47
  %10 = call ptr @strcpy(ptr noundef %8, ptr noundef %9) #3, !dbg !47
  %11 = load ptr, ptr %3, align 8, !dbg !48
  ret ptr %11, !dbg !48
}

; Function Attrs: noinline nounwind
define dso_local ptr @strcpy(ptr noalias noundef %0, ptr noalias noundef %1) #0 !dbg !49 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  store ptr %0, ptr %3, align 8
  store ptr %1, ptr %4, align 8
  %5 = load ptr, ptr %3, align 8, !dbg !51
  %6 = load ptr, ptr %4, align 8, !dbg !51
  %7 = call ptr @__stpcpy(ptr noundef %5, ptr noundef %6) #3, !dbg !51
  %8 = load ptr, ptr %3, align 8, !dbg !52
  ret ptr %8, !dbg !52
}

; Function Attrs: noinline nounwind
define dso_local i64 @strlen(ptr noundef %0) #0 !dbg !53 {
  %2 = alloca ptr, align 8
  %3 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8
  %4 = load ptr, ptr %2, align 8, !dbg !55
  store ptr %4, ptr %3, align 8, !dbg !55
  br label %5, !dbg !56

5:                                                ; preds = %10, %1
  %6 = load ptr, ptr %2, align 8, !dbg !56
  %7 = load i8, ptr %6, align 1, !dbg !56
  %8 = icmp ne i8 %7, 0, !dbg !56
  br i1 %8, label %9, label %13, !dbg !56

9:                                                ; preds = %5
  br label %10, !dbg !56

10:                                               ; preds = %9
  %11 = load ptr, ptr %2, align 8, !dbg !56
  %12 = getelementptr inbounds i8, ptr %11, i32 1, !dbg !56
  store ptr %12, ptr %2, align 8, !dbg !56
  br label %5, !dbg !56, !llvm.loop !57

13:                                               ; preds = %5
  %14 = load ptr, ptr %2, align 8, !dbg !58
  %15 = load ptr, ptr %3, align 8, !dbg !58
  %16 = ptrtoint ptr %14 to i64, !dbg !58
  %17 = ptrtoint ptr %15 to i64, !dbg !58
  %18 = sub i64 %16, %17, !dbg !58
  ret i64 %18, !dbg !58
}

; Function Attrs: noinline nounwind
define hidden ptr @__strchrnul(ptr noundef %0, i32 noundef %1) #0 !dbg !59 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  store ptr %0, ptr %4, align 8
  store i32 %1, ptr %5, align 4
  %6 = load i32, ptr %5, align 4, !dbg !61
  %7 = trunc i32 %6 to i8, !dbg !61
  %8 = zext i8 %7 to i32, !dbg !61
  store i32 %8, ptr %5, align 4, !dbg !61
  %9 = load i32, ptr %5, align 4, !dbg !62
  %10 = icmp ne i32 %9, 0, !dbg !62
  br i1 %10, label %16, label %11, !dbg !62

11:                                               ; preds = %2
  %12 = load ptr, ptr %4, align 8, !dbg !62
  %13 = load ptr, ptr %4, align 8, !dbg !62
  %14 = call i64 @strlen(ptr noundef %13) #3, !dbg !62
  %15 = getelementptr inbounds i8, ptr %12, i64 %14, !dbg !62
  store ptr %15, ptr %3, align 8, !dbg !62
  br label %36, !dbg !62

16:                                               ; preds = %2
  br label %17, !dbg !63

17:                                               ; preds = %31, %16
  %18 = load ptr, ptr %4, align 8, !dbg !63
  %19 = load i8, ptr %18, align 1, !dbg !63
  %20 = sext i8 %19 to i32, !dbg !63
  %21 = icmp ne i32 %20, 0, !dbg !63
  br i1 %21, label %22, label %28, !dbg !63

22:                                               ; preds = %17
  %23 = load ptr, ptr %4, align 8, !dbg !63
  %24 = load i8, ptr %23, align 1, !dbg !63
  %25 = zext i8 %24 to i32, !dbg !63
  %26 = load i32, ptr %5, align 4, !dbg !63
  %27 = icmp ne i32 %25, %26, !dbg !63
  br label %28

28:                                               ; preds = %22, %17
  %29 = phi i1 [ false, %17 ], [ %27, %22 ], !dbg !64
  br i1 %29, label %30, label %34, !dbg !63

30:                                               ; preds = %28
  br label %31, !dbg !63

31:                                               ; preds = %30
  %32 = load ptr, ptr %4, align 8, !dbg !63
  %33 = getelementptr inbounds i8, ptr %32, i32 1, !dbg !63
  store ptr %33, ptr %4, align 8, !dbg !63
  br label %17, !dbg !63, !llvm.loop !65

34:                                               ; preds = %28
  %35 = load ptr, ptr %4, align 8, !dbg !66
  store ptr %35, ptr %3, align 8, !dbg !66
  br label %36, !dbg !66

36:                                               ; preds = %34, %11
  %37 = load ptr, ptr %3, align 8, !dbg !67
  ret ptr %37, !dbg !67
}

; Function Attrs: noinline nounwind
define dso_local i32 @strcmp(ptr noundef %0, ptr noundef %1) #0 !dbg !68 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  store ptr %0, ptr %3, align 8
  store ptr %1, ptr %4, align 8
  br label %5, !dbg !70

5:                                                ; preds = %21, %2
  %6 = load ptr, ptr %3, align 8, !dbg !70
  %7 = load i8, ptr %6, align 1, !dbg !70
  %8 = sext i8 %7 to i32, !dbg !70
  %9 = load ptr, ptr %4, align 8, !dbg !70
  %10 = load i8, ptr %9, align 1, !dbg !70
  %11 = sext i8 %10 to i32, !dbg !70
  %12 = icmp eq i32 %8, %11, !dbg !70
  br i1 %12, label %13, label %18, !dbg !70

13:                                               ; preds = %5
  %14 = load ptr, ptr %3, align 8, !dbg !70
  %15 = load i8, ptr %14, align 1, !dbg !70
  %16 = sext i8 %15 to i32, !dbg !70
  %17 = icmp ne i32 %16, 0, !dbg !70
  br label %18

18:                                               ; preds = %13, %5
  %19 = phi i1 [ false, %5 ], [ %17, %13 ], !dbg !71
  br i1 %19, label %20, label %26, !dbg !70

20:                                               ; preds = %18
  br label %21, !dbg !70

21:                                               ; preds = %20
  %22 = load ptr, ptr %3, align 8, !dbg !70
  %23 = getelementptr inbounds i8, ptr %22, i32 1, !dbg !70
  store ptr %23, ptr %3, align 8, !dbg !70
  %24 = load ptr, ptr %4, align 8, !dbg !70
  %25 = getelementptr inbounds i8, ptr %24, i32 1, !dbg !70
  store ptr %25, ptr %4, align 8, !dbg !70
  br label %5, !dbg !70, !llvm.loop !72

26:                                               ; preds = %18
  %27 = load ptr, ptr %3, align 8, !dbg !73
  %28 = load i8, ptr %27, align 1, !dbg !73
  %29 = zext i8 %28 to i32, !dbg !73
  %30 = load ptr, ptr %4, align 8, !dbg !73
  %31 = load i8, ptr %30, align 1, !dbg !73
  %32 = zext i8 %31 to i32, !dbg !73
  %33 = sub nsw i32 %29, %32, !dbg !73
  ret i32 %33, !dbg !73
}

; Function Attrs: noinline nounwind
define dso_local i64 @strcspn(ptr noundef %0, ptr noundef %1) #0 !dbg !74 {
  %3 = alloca i64, align 8
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca [4 x i64], align 16
  store ptr %0, ptr %4, align 8
  store ptr %1, ptr %5, align 8
  %8 = load ptr, ptr %4, align 8, !dbg !76
  store ptr %8, ptr %6, align 8, !dbg !76
  %9 = load ptr, ptr %5, align 8, !dbg !77
  %10 = getelementptr inbounds i8, ptr %9, i64 0, !dbg !77
  %11 = load i8, ptr %10, align 1, !dbg !77
  %12 = icmp ne i8 %11, 0, !dbg !77
  br i1 %12, label %13, label %18, !dbg !77

13:                                               ; preds = %2
  %14 = load ptr, ptr %5, align 8, !dbg !77
  %15 = getelementptr inbounds i8, ptr %14, i64 1, !dbg !77
  %16 = load i8, ptr %15, align 1, !dbg !77
  %17 = icmp ne i8 %16, 0, !dbg !77
  br i1 %17, label %28, label %18, !dbg !77

18:                                               ; preds = %13, %2
  %19 = load ptr, ptr %4, align 8, !dbg !77
  %20 = load ptr, ptr %5, align 8, !dbg !77
  %21 = load i8, ptr %20, align 1, !dbg !77
  %22 = sext i8 %21 to i32, !dbg !77
  %23 = call ptr @__strchrnul(ptr noundef %19, i32 noundef %22) #3, !dbg !77
  %24 = load ptr, ptr %6, align 8, !dbg !77
  %25 = ptrtoint ptr %23 to i64, !dbg !77
  %26 = ptrtoint ptr %24 to i64, !dbg !77
  %27 = sub i64 %25, %26, !dbg !77
  store i64 %27, ptr %3, align 8, !dbg !77
  br label %89, !dbg !77

28:                                               ; preds = %13
  %29 = getelementptr inbounds [4 x i64], ptr %7, i64 0, i64 0, !dbg !78
  %30 = call ptr @memset(ptr noundef %29, i32 noundef 0, i64 noundef 32) #3, !dbg !78
  br label %31, !dbg !79

31:                                               ; preds = %53, %28
  %32 = load ptr, ptr %5, align 8, !dbg !79
  %33 = load i8, ptr %32, align 1, !dbg !79
  %34 = sext i8 %33 to i32, !dbg !79
  %35 = icmp ne i32 %34, 0, !dbg !79
  br i1 %35, label %36, label %50, !dbg !79

36:                                               ; preds = %31
  %37 = load ptr, ptr %5, align 8, !dbg !79
  %38 = load i8, ptr %37, align 1, !dbg !79
  %39 = zext i8 %38 to i64, !dbg !79
  %40 = urem i64 %39, 64, !dbg !79
  %41 = shl i64 1, %40, !dbg !79
  %42 = load ptr, ptr %5, align 8, !dbg !79
  %43 = load i8, ptr %42, align 1, !dbg !79
  %44 = zext i8 %43 to i64, !dbg !79
  %45 = udiv i64 %44, 64, !dbg !79
  %46 = getelementptr inbounds [4 x i64], ptr %7, i64 0, i64 %45, !dbg !79
  %47 = load i64, ptr %46, align 8, !dbg !79
  %48 = or i64 %47, %41, !dbg !79
  store i64 %48, ptr %46, align 8, !dbg !79
  %49 = icmp ne i64 %48, 0, !dbg !79
  br label %50

50:                                               ; preds = %36, %31
  %51 = phi i1 [ false, %31 ], [ %49, %36 ], !dbg !80
  br i1 %51, label %52, label %56, !dbg !79

52:                                               ; preds = %50
  br label %53, !dbg !79

53:                                               ; preds = %52
  %54 = load ptr, ptr %5, align 8, !dbg !79
  %55 = getelementptr inbounds i8, ptr %54, i32 1, !dbg !79
  store ptr %55, ptr %5, align 8, !dbg !79
  br label %31, !dbg !79, !llvm.loop !81

56:                                               ; preds = %50
  br label %57, !dbg !82

57:                                               ; preds = %80, %56
  %58 = load ptr, ptr %4, align 8, !dbg !82
  %59 = load i8, ptr %58, align 1, !dbg !82
  %60 = sext i8 %59 to i32, !dbg !82
  %61 = icmp ne i32 %60, 0, !dbg !82
  br i1 %61, label %62, label %77, !dbg !82

62:                                               ; preds = %57
  %63 = load ptr, ptr %4, align 8, !dbg !82
  %64 = load i8, ptr %63, align 1, !dbg !82
  %65 = zext i8 %64 to i64, !dbg !82
  %66 = udiv i64 %65, 64, !dbg !82
  %67 = getelementptr inbounds [4 x i64], ptr %7, i64 0, i64 %66, !dbg !82
  %68 = load i64, ptr %67, align 8, !dbg !82
  %69 = load ptr, ptr %4, align 8, !dbg !82
  %70 = load i8, ptr %69, align 1, !dbg !82
  %71 = zext i8 %70 to i64, !dbg !82
  %72 = urem i64 %71, 64, !dbg !82
  %73 = shl i64 1, %72, !dbg !82
  %74 = and i64 %68, %73, !dbg !82
  %75 = icmp ne i64 %74, 0, !dbg !82
  %76 = xor i1 %75, true, !dbg !82
  br label %77

77:                                               ; preds = %62, %57
  %78 = phi i1 [ false, %57 ], [ %76, %62 ], !dbg !80
  br i1 %78, label %79, label %83, !dbg !82

79:                                               ; preds = %77
  br label %80, !dbg !82

80:                                               ; preds = %79
  %81 = load ptr, ptr %4, align 8, !dbg !82
  %82 = getelementptr inbounds i8, ptr %81, i32 1, !dbg !82
  store ptr %82, ptr %4, align 8, !dbg !82
  br label %57, !dbg !82, !llvm.loop !83

83:                                               ; preds = %77
  %84 = load ptr, ptr %4, align 8, !dbg !84
  %85 = load ptr, ptr %6, align 8, !dbg !84
  %86 = ptrtoint ptr %84 to i64, !dbg !84
  %87 = ptrtoint ptr %85 to i64, !dbg !84
  %88 = sub i64 %86, %87, !dbg !84
  store i64 %88, ptr %3, align 8, !dbg !84
  br label %89, !dbg !84

89:                                               ; preds = %83, %18
  %90 = load i64, ptr %3, align 8, !dbg !85
  ret i64 %90, !dbg !85
}

; Function Attrs: noinline nounwind
define dso_local i64 @strlcat(ptr noundef %0, ptr noundef %1, i64 noundef %2) #0 !dbg !86 {
  %4 = alloca i64, align 8
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca i64, align 8
  %8 = alloca i64, align 8
  store ptr %0, ptr %5, align 8
  store ptr %1, ptr %6, align 8
  store i64 %2, ptr %7, align 8
  %9 = load ptr, ptr %5, align 8, !dbg !88
  %10 = load i64, ptr %7, align 8, !dbg !88
  %11 = call i64 @strnlen(ptr noundef %9, i64 noundef %10) #3, !dbg !88
  store i64 %11, ptr %8, align 8, !dbg !88
  %12 = load i64, ptr %8, align 8, !dbg !89
  %13 = load i64, ptr %7, align 8, !dbg !89
  %14 = icmp eq i64 %12, %13, !dbg !89
  br i1 %14, label %15, label %20, !dbg !89

15:                                               ; preds = %3
  %16 = load i64, ptr %8, align 8, !dbg !89
  %17 = load ptr, ptr %6, align 8, !dbg !89
  %18 = call i64 @strlen(ptr noundef %17) #3, !dbg !89
  %19 = add i64 %16, %18, !dbg !89
  store i64 %19, ptr %4, align 8, !dbg !89
  br label %31, !dbg !89

20:                                               ; preds = %3
  %21 = load i64, ptr %8, align 8, !dbg !90
  %22 = load ptr, ptr %5, align 8, !dbg !90
  %23 = load i64, ptr %8, align 8, !dbg !90
  %24 = getelementptr inbounds i8, ptr %22, i64 %23, !dbg !90
  %25 = load ptr, ptr %6, align 8, !dbg !90
  %26 = load i64, ptr %7, align 8, !dbg !90
  %27 = load i64, ptr %8, align 8, !dbg !90
  %28 = sub i64 %26, %27, !dbg !90
  %29 = call i64 @strlcpy(ptr noundef %24, ptr noundef %25, i64 noundef %28) #3, !dbg !90
  %30 = add i64 %21, %29, !dbg !90
  store i64 %30, ptr %4, align 8, !dbg !90
  br label %31, !dbg !90

31:                                               ; preds = %20, %15
  %32 = load i64, ptr %4, align 8, !dbg !91
  ret i64 %32, !dbg !91
}

; Function Attrs: noinline nounwind
define dso_local i64 @strnlen(ptr noundef %0, i64 noundef %1) #0 !dbg !92 {
  %3 = alloca ptr, align 8
  %4 = alloca i64, align 8
  %5 = alloca ptr, align 8
  store ptr %0, ptr %3, align 8
  store i64 %1, ptr %4, align 8
  %6 = load ptr, ptr %3, align 8, !dbg !94
  %7 = load i64, ptr %4, align 8, !dbg !94
  %8 = call ptr @memchr(ptr noundef %6, i32 noundef 0, i64 noundef %7) #3, !dbg !94
  store ptr %8, ptr %5, align 8, !dbg !94
  %9 = load ptr, ptr %5, align 8, !dbg !95
  %10 = icmp ne ptr %9, null, !dbg !95
  br i1 %10, label %11, label %17, !dbg !95

11:                                               ; preds = %2
  %12 = load ptr, ptr %5, align 8, !dbg !95
  %13 = load ptr, ptr %3, align 8, !dbg !95
  %14 = ptrtoint ptr %12 to i64, !dbg !95
  %15 = ptrtoint ptr %13 to i64, !dbg !95
  %16 = sub i64 %14, %15, !dbg !95
  br label %19, !dbg !95

17:                                               ; preds = %2
  %18 = load i64, ptr %4, align 8, !dbg !95
  br label %19, !dbg !95

19:                                               ; preds = %17, %11
  %20 = phi i64 [ %16, %11 ], [ %18, %17 ], !dbg !95
  ret i64 %20, !dbg !95
}

; Function Attrs: noinline nounwind
define dso_local i64 @strlcpy(ptr noundef %0, ptr noundef %1, i64 noundef %2) #0 !dbg !96 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i64, align 8
  %7 = alloca ptr, align 8
  %8 = alloca ptr, align 8
  store ptr %0, ptr %4, align 8
  store ptr %1, ptr %5, align 8
  store i64 %2, ptr %6, align 8
  %9 = load ptr, ptr %4, align 8, !dbg !98
  store ptr %9, ptr %7, align 8, !dbg !98
  %10 = load i64, ptr %6, align 8, !dbg !99
  %11 = add i64 %10, -1, !dbg !99
  store i64 %11, ptr %6, align 8, !dbg !99
  %12 = icmp ne i64 %10, 0, !dbg !99
  br i1 %12, label %14, label %13, !dbg !99

13:                                               ; preds = %3
  br label %36, !dbg !99

14:                                               ; preds = %3
  br label %15, !dbg !100

15:                                               ; preds = %27, %14
  %16 = load i64, ptr %6, align 8, !dbg !100
  %17 = icmp ne i64 %16, 0, !dbg !100
  br i1 %17, label %18, label %24, !dbg !100

18:                                               ; preds = %15
  %19 = load ptr, ptr %5, align 8, !dbg !100
  %20 = load i8, ptr %19, align 1, !dbg !100
  %21 = load ptr, ptr %4, align 8, !dbg !100
  store i8 %20, ptr %21, align 1, !dbg !100
  %22 = sext i8 %20 to i32, !dbg !100
  %23 = icmp ne i32 %22, 0, !dbg !100
  br label %24

24:                                               ; preds = %18, %15
  %25 = phi i1 [ false, %15 ], [ %23, %18 ], !dbg !101
  br i1 %25, label %26, label %34, !dbg !100

26:                                               ; preds = %24
  br label %27, !dbg !100

27:                                               ; preds = %26
  %28 = load i64, ptr %6, align 8, !dbg !100
  %29 = add i64 %28, -1, !dbg !100
  store i64 %29, ptr %6, align 8, !dbg !100
  %30 = load ptr, ptr %5, align 8, !dbg !100
  %31 = getelementptr inbounds i8, ptr %30, i32 1, !dbg !100
  store ptr %31, ptr %5, align 8, !dbg !100
  %32 = load ptr, ptr %4, align 8, !dbg !100
  %33 = getelementptr inbounds i8, ptr %32, i32 1, !dbg !100
  store ptr %33, ptr %4, align 8, !dbg !100
  br label %15, !dbg !100, !llvm.loop !102

34:                                               ; preds = %24
  %35 = load ptr, ptr %4, align 8, !dbg !103
  store i8 0, ptr %35, align 1, !dbg !103
  br label %36, !dbg !103

36:                                               ; preds = %34, %13
  %37 = load ptr, ptr %4, align 8, !dbg !104
  %38 = load ptr, ptr %7, align 8, !dbg !104
  %39 = ptrtoint ptr %37 to i64, !dbg !104
  %40 = ptrtoint ptr %38 to i64, !dbg !104
  %41 = sub i64 %39, %40, !dbg !104
  %42 = load ptr, ptr %5, align 8, !dbg !104
  %43 = call i64 @strlen(ptr noundef %42) #3, !dbg !104
  %44 = add i64 %41, %43, !dbg !104
  ret i64 %44, !dbg !104
}

; Function Attrs: noinline nounwind
define dso_local i32 @strncasecmp(ptr noundef %0, ptr noundef %1, i64 noundef %2) #0 !dbg !105 {
  %4 = alloca i32, align 4
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca i64, align 8
  %8 = alloca ptr, align 8
  %9 = alloca ptr, align 8
  store ptr %0, ptr %5, align 8
  store ptr %1, ptr %6, align 8
  store i64 %2, ptr %7, align 8
  %10 = load ptr, ptr %5, align 8, !dbg !107
  store ptr %10, ptr %8, align 8, !dbg !107
  %11 = load ptr, ptr %6, align 8, !dbg !107
  store ptr %11, ptr %9, align 8, !dbg !107
  %12 = load i64, ptr %7, align 8, !dbg !108
  %13 = add i64 %12, -1, !dbg !108
  store i64 %13, ptr %7, align 8, !dbg !108
  %14 = icmp ne i64 %12, 0, !dbg !108
  br i1 %14, label %16, label %15, !dbg !108

15:                                               ; preds = %3
  store i32 0, ptr %4, align 4, !dbg !108
  br label %70, !dbg !108

16:                                               ; preds = %3
  br label %17, !dbg !109

17:                                               ; preds = %53, %16
  %18 = load ptr, ptr %8, align 8, !dbg !109
  %19 = load i8, ptr %18, align 1, !dbg !109
  %20 = zext i8 %19 to i32, !dbg !109
  %21 = icmp ne i32 %20, 0, !dbg !109
  br i1 %21, label %22, label %50, !dbg !109

22:                                               ; preds = %17
  %23 = load ptr, ptr %9, align 8, !dbg !109
  %24 = load i8, ptr %23, align 1, !dbg !109
  %25 = zext i8 %24 to i32, !dbg !109
  %26 = icmp ne i32 %25, 0, !dbg !109
  br i1 %26, label %27, label %50, !dbg !109

27:                                               ; preds = %22
  %28 = load i64, ptr %7, align 8, !dbg !109
  %29 = icmp ne i64 %28, 0, !dbg !109
  br i1 %29, label %30, label %50, !dbg !109

30:                                               ; preds = %27
  %31 = load ptr, ptr %8, align 8, !dbg !109
  %32 = load i8, ptr %31, align 1, !dbg !109
  %33 = zext i8 %32 to i32, !dbg !109
  %34 = load ptr, ptr %9, align 8, !dbg !109
  %35 = load i8, ptr %34, align 1, !dbg !109
  %36 = zext i8 %35 to i32, !dbg !109
  %37 = icmp eq i32 %33, %36, !dbg !109
  br i1 %37, label %48, label %38, !dbg !109

38:                                               ; preds = %30
  %39 = load ptr, ptr %8, align 8, !dbg !109
  %40 = load i8, ptr %39, align 1, !dbg !109
  %41 = zext i8 %40 to i32, !dbg !109
  %42 = call i32 @tolower(i32 noundef %41) #3, !dbg !109
  %43 = load ptr, ptr %9, align 8, !dbg !109
  %44 = load i8, ptr %43, align 1, !dbg !109
  %45 = zext i8 %44 to i32, !dbg !109
  %46 = call i32 @tolower(i32 noundef %45) #3, !dbg !109
  %47 = icmp eq i32 %42, %46, !dbg !109
  br label %48, !dbg !109

48:                                               ; preds = %38, %30
  %49 = phi i1 [ true, %30 ], [ %47, %38 ]
  br label %50

50:                                               ; preds = %48, %27, %22, %17
  %51 = phi i1 [ false, %27 ], [ false, %22 ], [ false, %17 ], [ %49, %48 ], !dbg !110
  br i1 %51, label %52, label %60, !dbg !109

52:                                               ; preds = %50
  br label %53, !dbg !109

53:                                               ; preds = %52
  %54 = load ptr, ptr %8, align 8, !dbg !109
  %55 = getelementptr inbounds i8, ptr %54, i32 1, !dbg !109
  store ptr %55, ptr %8, align 8, !dbg !109
  %56 = load ptr, ptr %9, align 8, !dbg !109
  %57 = getelementptr inbounds i8, ptr %56, i32 1, !dbg !109
  store ptr %57, ptr %9, align 8, !dbg !109
  %58 = load i64, ptr %7, align 8, !dbg !109
  %59 = add i64 %58, -1, !dbg !109
  store i64 %59, ptr %7, align 8, !dbg !109
  br label %17, !dbg !109, !llvm.loop !111

60:                                               ; preds = %50
  %61 = load ptr, ptr %8, align 8, !dbg !112
  %62 = load i8, ptr %61, align 1, !dbg !112
  %63 = zext i8 %62 to i32, !dbg !112
  %64 = call i32 @tolower(i32 noundef %63) #3, !dbg !112
  %65 = load ptr, ptr %9, align 8, !dbg !112
  %66 = load i8, ptr %65, align 1, !dbg !112
  %67 = zext i8 %66 to i32, !dbg !112
  %68 = call i32 @tolower(i32 noundef %67) #3, !dbg !112
  %69 = sub nsw i32 %64, %68, !dbg !112
  store i32 %69, ptr %4, align 4, !dbg !112
  br label %70, !dbg !112

70:                                               ; preds = %60, %15
  %71 = load i32, ptr %4, align 4, !dbg !113
  ret i32 %71, !dbg !113
}

; Function Attrs: noinline nounwind
define dso_local i32 @__strncasecmp_l(ptr noundef %0, ptr noundef %1, i64 noundef %2, ptr noundef %3) #0 !dbg !114 {
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca i64, align 8
  %8 = alloca ptr, align 8
  store ptr %0, ptr %5, align 8
  store ptr %1, ptr %6, align 8
  store i64 %2, ptr %7, align 8
  store ptr %3, ptr %8, align 8
  %9 = load ptr, ptr %5, align 8, !dbg !115
  %10 = load ptr, ptr %6, align 8, !dbg !115
  %11 = load i64, ptr %7, align 8, !dbg !115
  %12 = call i32 @strncasecmp(ptr noundef %9, ptr noundef %10, i64 noundef %11) #3, !dbg !115
  ret i32 %12, !dbg !115
}

; Function Attrs: noinline nounwind
define dso_local ptr @strncat(ptr noalias noundef %0, ptr noalias noundef %1, i64 noundef %2) #0 !dbg !116 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i64, align 8
  %7 = alloca ptr, align 8
  store ptr %0, ptr %4, align 8
  store ptr %1, ptr %5, align 8
  store i64 %2, ptr %6, align 8
  %8 = load ptr, ptr %4, align 8, !dbg !118
  store ptr %8, ptr %7, align 8, !dbg !118
  %9 = load ptr, ptr %4, align 8, !dbg !119
  %10 = call i64 @strlen(ptr noundef %9) #3, !dbg !119
  %11 = load ptr, ptr %4, align 8, !dbg !119
  %12 = getelementptr inbounds i8, ptr %11, i64 %10, !dbg !119
  store ptr %12, ptr %4, align 8, !dbg !119
  br label %13, !dbg !120

13:                                               ; preds = %23, %3
  %14 = load i64, ptr %6, align 8, !dbg !120
  %15 = icmp ne i64 %14, 0, !dbg !120
  br i1 %15, label %16, label %21, !dbg !120

16:                                               ; preds = %13
  %17 = load ptr, ptr %5, align 8, !dbg !120
  %18 = load i8, ptr %17, align 1, !dbg !120
  %19 = sext i8 %18 to i32, !dbg !120
  %20 = icmp ne i32 %19, 0, !dbg !120
  br label %21

21:                                               ; preds = %16, %13
  %22 = phi i1 [ false, %13 ], [ %20, %16 ], !dbg !121
  br i1 %22, label %23, label %31, !dbg !120

23:                                               ; preds = %21
  %24 = load i64, ptr %6, align 8, !dbg !120
  %25 = add i64 %24, -1, !dbg !120
  store i64 %25, ptr %6, align 8, !dbg !120
  %26 = load ptr, ptr %5, align 8, !dbg !120
  %27 = getelementptr inbounds i8, ptr %26, i32 1, !dbg !120
  store ptr %27, ptr %5, align 8, !dbg !120
  %28 = load i8, ptr %26, align 1, !dbg !120
  %29 = load ptr, ptr %4, align 8, !dbg !120
  %30 = getelementptr inbounds i8, ptr %29, i32 1, !dbg !120
  store ptr %30, ptr %4, align 8, !dbg !120
  store i8 %28, ptr %29, align 1, !dbg !120
  br label %13, !dbg !120, !llvm.loop !122

31:                                               ; preds = %21
  %32 = load ptr, ptr %4, align 8, !dbg !123
  %33 = getelementptr inbounds i8, ptr %32, i32 1, !dbg !123
  store ptr %33, ptr %4, align 8, !dbg !123
  store i8 0, ptr %32, align 1, !dbg !123
  %34 = load ptr, ptr %7, align 8, !dbg !124
  ret ptr %34, !dbg !124
}

; Function Attrs: noinline nounwind
define dso_local i32 @strncmp(ptr noundef %0, ptr noundef %1, i64 noundef %2) #0 !dbg !125 {
  %4 = alloca i32, align 4
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca i64, align 8
  %8 = alloca ptr, align 8
  %9 = alloca ptr, align 8
  store ptr %0, ptr %5, align 8
  store ptr %1, ptr %6, align 8
  store i64 %2, ptr %7, align 8
  %10 = load ptr, ptr %5, align 8, !dbg !127
  store ptr %10, ptr %8, align 8, !dbg !127
  %11 = load ptr, ptr %6, align 8, !dbg !127
  store ptr %11, ptr %9, align 8, !dbg !127
  %12 = load i64, ptr %7, align 8, !dbg !128
  %13 = add i64 %12, -1, !dbg !128
  store i64 %13, ptr %7, align 8, !dbg !128
  %14 = icmp ne i64 %12, 0, !dbg !128
  br i1 %14, label %16, label %15, !dbg !128

15:                                               ; preds = %3
  store i32 0, ptr %4, align 4, !dbg !128
  br label %56, !dbg !128

16:                                               ; preds = %3
  br label %17, !dbg !129

17:                                               ; preds = %41, %16
  %18 = load ptr, ptr %8, align 8, !dbg !129
  %19 = load i8, ptr %18, align 1, !dbg !129
  %20 = zext i8 %19 to i32, !dbg !129
  %21 = icmp ne i32 %20, 0, !dbg !129
  br i1 %21, label %22, label %38, !dbg !129

22:                                               ; preds = %17
  %23 = load ptr, ptr %9, align 8, !dbg !129
  %24 = load i8, ptr %23, align 1, !dbg !129
  %25 = zext i8 %24 to i32, !dbg !129
  %26 = icmp ne i32 %25, 0, !dbg !129
  br i1 %26, label %27, label %38, !dbg !129

27:                                               ; preds = %22
  %28 = load i64, ptr %7, align 8, !dbg !129
  %29 = icmp ne i64 %28, 0, !dbg !129
  br i1 %29, label %30, label %38, !dbg !129

30:                                               ; preds = %27
  %31 = load ptr, ptr %8, align 8, !dbg !129
  %32 = load i8, ptr %31, align 1, !dbg !129
  %33 = zext i8 %32 to i32, !dbg !129
  %34 = load ptr, ptr %9, align 8, !dbg !129
  %35 = load i8, ptr %34, align 1, !dbg !129
  %36 = zext i8 %35 to i32, !dbg !129
  %37 = icmp eq i32 %33, %36, !dbg !129
  br label %38

38:                                               ; preds = %30, %27, %22, %17
  %39 = phi i1 [ false, %27 ], [ false, %22 ], [ false, %17 ], [ %37, %30 ], !dbg !130
  br i1 %39, label %40, label %48, !dbg !129

40:                                               ; preds = %38
  br label %41, !dbg !129

41:                                               ; preds = %40
  %42 = load ptr, ptr %8, align 8, !dbg !129
  %43 = getelementptr inbounds i8, ptr %42, i32 1, !dbg !129
  store ptr %43, ptr %8, align 8, !dbg !129
  %44 = load ptr, ptr %9, align 8, !dbg !129
  %45 = getelementptr inbounds i8, ptr %44, i32 1, !dbg !129
  store ptr %45, ptr %9, align 8, !dbg !129
  %46 = load i64, ptr %7, align 8, !dbg !129
  %47 = add i64 %46, -1, !dbg !129
  store i64 %47, ptr %7, align 8, !dbg !129
  br label %17, !dbg !129, !llvm.loop !131

48:                                               ; preds = %38
  %49 = load ptr, ptr %8, align 8, !dbg !132
  %50 = load i8, ptr %49, align 1, !dbg !132
  %51 = zext i8 %50 to i32, !dbg !132
  %52 = load ptr, ptr %9, align 8, !dbg !132
  %53 = load i8, ptr %52, align 1, !dbg !132
  %54 = zext i8 %53 to i32, !dbg !132
  %55 = sub nsw i32 %51, %54, !dbg !132
  store i32 %55, ptr %4, align 4, !dbg !132
  br label %56, !dbg !132

56:                                               ; preds = %48, %15
  %57 = load i32, ptr %4, align 4, !dbg !133
  ret i32 %57, !dbg !133
}

; Function Attrs: noinline nounwind
define dso_local ptr @strncpy(ptr noalias noundef %0, ptr noalias noundef %1, i64 noundef %2) #0 !dbg !134 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i64, align 8
  store ptr %0, ptr %4, align 8
  store ptr %1, ptr %5, align 8
  store i64 %2, ptr %6, align 8
  %7 = load ptr, ptr %4, align 8, !dbg !136
  %8 = load ptr, ptr %5, align 8, !dbg !136
  %9 = load i64, ptr %6, align 8, !dbg !136
  %10 = call ptr @__stpncpy(ptr noundef %7, ptr noundef %8, i64 noundef %9) #3, !dbg !136
  %11 = load ptr, ptr %4, align 8, !dbg !137
  ret ptr %11, !dbg !137
}

declare ptr @memchr(ptr noundef, i32 noundef, i64 noundef) #1

; Function Attrs: noinline nounwind
define dso_local ptr @strpbrk(ptr noundef %0, ptr noundef %1) #0 !dbg !138 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  store ptr %0, ptr %3, align 8
  store ptr %1, ptr %4, align 8
  %5 = load ptr, ptr %3, align 8, !dbg !140
  %6 = load ptr, ptr %4, align 8, !dbg !140
  %7 = call i64 @strcspn(ptr noundef %5, ptr noundef %6) #3, !dbg !140
  %8 = load ptr, ptr %3, align 8, !dbg !140
  %9 = getelementptr inbounds i8, ptr %8, i64 %7, !dbg !140
  store ptr %9, ptr %3, align 8, !dbg !140
  %10 = load ptr, ptr %3, align 8, !dbg !141
  %11 = load i8, ptr %10, align 1, !dbg !141
  %12 = sext i8 %11 to i32, !dbg !141
  %13 = icmp ne i32 %12, 0, !dbg !141
  br i1 %13, label %14, label %16, !dbg !141

14:                                               ; preds = %2
  %15 = load ptr, ptr %3, align 8, !dbg !141
  br label %17, !dbg !141

16:                                               ; preds = %2
  br label %17, !dbg !141

17:                                               ; preds = %16, %14
  %18 = phi ptr [ %15, %14 ], [ null, %16 ], !dbg !141
  ret ptr %18, !dbg !141
}

declare hidden ptr @__memrchr(ptr noundef, i32 noundef, i64 noundef) #1

; Function Attrs: noinline nounwind
define dso_local ptr @strsep(ptr noundef %0, ptr noundef %1) #0 !dbg !142 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca ptr, align 8
  store ptr %0, ptr %4, align 8
  store ptr %1, ptr %5, align 8
  %8 = load ptr, ptr %4, align 8, !dbg !144
  %9 = load ptr, ptr %8, align 8, !dbg !144
  store ptr %9, ptr %6, align 8, !dbg !144
  %10 = load ptr, ptr %6, align 8, !dbg !145
  %11 = icmp ne ptr %10, null, !dbg !145
  br i1 %11, label %13, label %12, !dbg !145

12:                                               ; preds = %2
  store ptr null, ptr %3, align 8, !dbg !145
  br label %30, !dbg !145

13:                                               ; preds = %2
  %14 = load ptr, ptr %6, align 8, !dbg !146
  %15 = load ptr, ptr %6, align 8, !dbg !146
  %16 = load ptr, ptr %5, align 8, !dbg !146
  %17 = call i64 @strcspn(ptr noundef %15, ptr noundef %16) #3, !dbg !146
  %18 = getelementptr inbounds i8, ptr %14, i64 %17, !dbg !146
  store ptr %18, ptr %7, align 8, !dbg !146
  %19 = load ptr, ptr %7, align 8, !dbg !147
  %20 = load i8, ptr %19, align 1, !dbg !147
  %21 = icmp ne i8 %20, 0, !dbg !147
  br i1 %21, label %22, label %25, !dbg !147

22:                                               ; preds = %13
  %23 = load ptr, ptr %7, align 8, !dbg !147
  %24 = getelementptr inbounds i8, ptr %23, i32 1, !dbg !147
  store ptr %24, ptr %7, align 8, !dbg !147
  store i8 0, ptr %23, align 1, !dbg !147
  br label %26, !dbg !147

25:                                               ; preds = %13
  store ptr null, ptr %7, align 8, !dbg !148
  br label %26

26:                                               ; preds = %25, %22
  %27 = load ptr, ptr %7, align 8, !dbg !149
  %28 = load ptr, ptr %4, align 8, !dbg !149
  store ptr %27, ptr %28, align 8, !dbg !149
  %29 = load ptr, ptr %6, align 8, !dbg !150
  store ptr %29, ptr %3, align 8, !dbg !150
  br label %30, !dbg !150

30:                                               ; preds = %26, %12
  %31 = load ptr, ptr %3, align 8, !dbg !151
  ret ptr %31, !dbg !151
}

; Function Attrs: noinline nounwind
define dso_local i64 @strspn(ptr noundef %0, ptr noundef %1) #0 !dbg !152 {
  %3 = alloca i64, align 8
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca [4 x i64], align 16
  store ptr %0, ptr %4, align 8
  store ptr %1, ptr %5, align 8
  %8 = load ptr, ptr %4, align 8, !dbg !154
  store ptr %8, ptr %6, align 8, !dbg !154
  call void @llvm.memset.p0.i64(ptr align 16 %7, i8 0, i64 32, i1 false), !dbg !155
  %9 = load ptr, ptr %5, align 8, !dbg !156
  %10 = getelementptr inbounds i8, ptr %9, i64 0, !dbg !156
  %11 = load i8, ptr %10, align 1, !dbg !156
  %12 = icmp ne i8 %11, 0, !dbg !156
  br i1 %12, label %14, label %13, !dbg !156

13:                                               ; preds = %2
  store i64 0, ptr %3, align 8, !dbg !156
  br label %96, !dbg !156

14:                                               ; preds = %2
  %15 = load ptr, ptr %5, align 8, !dbg !157
  %16 = getelementptr inbounds i8, ptr %15, i64 1, !dbg !157
  %17 = load i8, ptr %16, align 1, !dbg !157
  %18 = icmp ne i8 %17, 0, !dbg !157
  br i1 %18, label %38, label %19, !dbg !157

19:                                               ; preds = %14
  br label %20, !dbg !158

20:                                               ; preds = %29, %19
  %21 = load ptr, ptr %4, align 8, !dbg !158
  %22 = load i8, ptr %21, align 1, !dbg !158
  %23 = sext i8 %22 to i32, !dbg !158
  %24 = load ptr, ptr %5, align 8, !dbg !158
  %25 = load i8, ptr %24, align 1, !dbg !158
  %26 = sext i8 %25 to i32, !dbg !158
  %27 = icmp eq i32 %23, %26, !dbg !158
  br i1 %27, label %28, label %32, !dbg !158

28:                                               ; preds = %20
  br label %29, !dbg !158

29:                                               ; preds = %28
  %30 = load ptr, ptr %4, align 8, !dbg !158
  %31 = getelementptr inbounds i8, ptr %30, i32 1, !dbg !158
  store ptr %31, ptr %4, align 8, !dbg !158
  br label %20, !dbg !158, !llvm.loop !159

32:                                               ; preds = %20
  %33 = load ptr, ptr %4, align 8, !dbg !160
  %34 = load ptr, ptr %6, align 8, !dbg !160
  %35 = ptrtoint ptr %33 to i64, !dbg !160
  %36 = ptrtoint ptr %34 to i64, !dbg !160
  %37 = sub i64 %35, %36, !dbg !160
  store i64 %37, ptr %3, align 8, !dbg !160
  br label %96, !dbg !160

38:                                               ; preds = %14
  br label %39, !dbg !161

39:                                               ; preds = %61, %38
  %40 = load ptr, ptr %5, align 8, !dbg !161
  %41 = load i8, ptr %40, align 1, !dbg !161
  %42 = sext i8 %41 to i32, !dbg !161
  %43 = icmp ne i32 %42, 0, !dbg !161
  br i1 %43, label %44, label %58, !dbg !161

44:                                               ; preds = %39
  %45 = load ptr, ptr %5, align 8, !dbg !161
  %46 = load i8, ptr %45, align 1, !dbg !161
  %47 = zext i8 %46 to i64, !dbg !161
  %48 = urem i64 %47, 64, !dbg !161
  %49 = shl i64 1, %48, !dbg !161
  %50 = load ptr, ptr %5, align 8, !dbg !161
  %51 = load i8, ptr %50, align 1, !dbg !161
  %52 = zext i8 %51 to i64, !dbg !161
  %53 = udiv i64 %52, 64, !dbg !161
  %54 = getelementptr inbounds [4 x i64], ptr %7, i64 0, i64 %53, !dbg !161
  %55 = load i64, ptr %54, align 8, !dbg !161
  %56 = or i64 %55, %49, !dbg !161
  store i64 %56, ptr %54, align 8, !dbg !161
  %57 = icmp ne i64 %56, 0, !dbg !161
  br label %58

58:                                               ; preds = %44, %39
  %59 = phi i1 [ false, %39 ], [ %57, %44 ], !dbg !162
  br i1 %59, label %60, label %64, !dbg !161

60:                                               ; preds = %58
  br label %61, !dbg !161

61:                                               ; preds = %60
  %62 = load ptr, ptr %5, align 8, !dbg !161
  %63 = getelementptr inbounds i8, ptr %62, i32 1, !dbg !161
  store ptr %63, ptr %5, align 8, !dbg !161
  br label %39, !dbg !161, !llvm.loop !163

64:                                               ; preds = %58
  br label %65, !dbg !164

65:                                               ; preds = %87, %64
  %66 = load ptr, ptr %4, align 8, !dbg !164
  %67 = load i8, ptr %66, align 1, !dbg !164
  %68 = sext i8 %67 to i32, !dbg !164
  %69 = icmp ne i32 %68, 0, !dbg !164
  br i1 %69, label %70, label %84, !dbg !164

70:                                               ; preds = %65
  %71 = load ptr, ptr %4, align 8, !dbg !164
  %72 = load i8, ptr %71, align 1, !dbg !164
  %73 = zext i8 %72 to i64, !dbg !164
  %74 = udiv i64 %73, 64, !dbg !164
  %75 = getelementptr inbounds [4 x i64], ptr %7, i64 0, i64 %74, !dbg !164
  %76 = load i64, ptr %75, align 8, !dbg !164
  %77 = load ptr, ptr %4, align 8, !dbg !164
  %78 = load i8, ptr %77, align 1, !dbg !164
  %79 = zext i8 %78 to i64, !dbg !164
  %80 = urem i64 %79, 64, !dbg !164
  %81 = shl i64 1, %80, !dbg !164
  %82 = and i64 %76, %81, !dbg !164
  %83 = icmp ne i64 %82, 0, !dbg !164
  br label %84

84:                                               ; preds = %70, %65
  %85 = phi i1 [ false, %65 ], [ %83, %70 ], !dbg !162
  br i1 %85, label %86, label %90, !dbg !164

86:                                               ; preds = %84
  br label %87, !dbg !164

87:                                               ; preds = %86
  %88 = load ptr, ptr %4, align 8, !dbg !164
  %89 = getelementptr inbounds i8, ptr %88, i32 1, !dbg !164
  store ptr %89, ptr %4, align 8, !dbg !164
  br label %65, !dbg !164, !llvm.loop !165

90:                                               ; preds = %84
  %91 = load ptr, ptr %4, align 8, !dbg !166
  %92 = load ptr, ptr %6, align 8, !dbg !166
  %93 = ptrtoint ptr %91 to i64, !dbg !166
  %94 = ptrtoint ptr %92 to i64, !dbg !166
  %95 = sub i64 %93, %94, !dbg !166
  store i64 %95, ptr %3, align 8, !dbg !166
  br label %96, !dbg !166

96:                                               ; preds = %90, %32, %13
  %97 = load i64, ptr %3, align 8, !dbg !167
  ret i64 %97, !dbg !167
}

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr nocapture writeonly, i8, i64, i1 immarg) #2

; Function Attrs: noinline nounwind
define dso_local ptr @strstr(ptr noundef %0, ptr noundef %1) #0 !dbg !168 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  store ptr %0, ptr %4, align 8
  store ptr %1, ptr %5, align 8
  %6 = load ptr, ptr %5, align 8, !dbg !170
  %7 = getelementptr inbounds i8, ptr %6, i64 0, !dbg !170
  %8 = load i8, ptr %7, align 1, !dbg !170
  %9 = icmp ne i8 %8, 0, !dbg !170
  br i1 %9, label %12, label %10, !dbg !170

10:                                               ; preds = %2
  %11 = load ptr, ptr %4, align 8, !dbg !170
  store ptr %11, ptr %3, align 8, !dbg !170
  br label %76, !dbg !170

12:                                               ; preds = %2
  %13 = load ptr, ptr %4, align 8, !dbg !171
  %14 = load ptr, ptr %5, align 8, !dbg !171
  %15 = load i8, ptr %14, align 1, !dbg !171
  %16 = sext i8 %15 to i32, !dbg !171
  %17 = call ptr @strchr(ptr noundef %13, i32 noundef %16) #3, !dbg !171
  store ptr %17, ptr %4, align 8, !dbg !171
  %18 = load ptr, ptr %4, align 8, !dbg !172
  %19 = icmp ne ptr %18, null, !dbg !172
  br i1 %19, label %20, label %25, !dbg !172

20:                                               ; preds = %12
  %21 = load ptr, ptr %5, align 8, !dbg !172
  %22 = getelementptr inbounds i8, ptr %21, i64 1, !dbg !172
  %23 = load i8, ptr %22, align 1, !dbg !172
  %24 = icmp ne i8 %23, 0, !dbg !172
  br i1 %24, label %27, label %25, !dbg !172

25:                                               ; preds = %20, %12
  %26 = load ptr, ptr %4, align 8, !dbg !172
  store ptr %26, ptr %3, align 8, !dbg !172
  br label %76, !dbg !172

27:                                               ; preds = %20
  %28 = load ptr, ptr %4, align 8, !dbg !173
  %29 = getelementptr inbounds i8, ptr %28, i64 1, !dbg !173
  %30 = load i8, ptr %29, align 1, !dbg !173
  %31 = icmp ne i8 %30, 0, !dbg !173
  br i1 %31, label %33, label %32, !dbg !173

32:                                               ; preds = %27
  store ptr null, ptr %3, align 8, !dbg !173
  br label %76, !dbg !173

33:                                               ; preds = %27
  %34 = load ptr, ptr %5, align 8, !dbg !174
  %35 = getelementptr inbounds i8, ptr %34, i64 2, !dbg !174
  %36 = load i8, ptr %35, align 1, !dbg !174
  %37 = icmp ne i8 %36, 0, !dbg !174
  br i1 %37, label %42, label %38, !dbg !174

38:                                               ; preds = %33
  %39 = load ptr, ptr %4, align 8, !dbg !174
  %40 = load ptr, ptr %5, align 8, !dbg !174
  %41 = call ptr @twobyte_strstr(ptr noundef %39, ptr noundef %40) #3, !dbg !174
  store ptr %41, ptr %3, align 8, !dbg !174
  br label %76, !dbg !174

42:                                               ; preds = %33
  %43 = load ptr, ptr %4, align 8, !dbg !175
  %44 = getelementptr inbounds i8, ptr %43, i64 2, !dbg !175
  %45 = load i8, ptr %44, align 1, !dbg !175
  %46 = icmp ne i8 %45, 0, !dbg !175
  br i1 %46, label %48, label %47, !dbg !175

47:                                               ; preds = %42
  store ptr null, ptr %3, align 8, !dbg !175
  br label %76, !dbg !175

48:                                               ; preds = %42
  %49 = load ptr, ptr %5, align 8, !dbg !176
  %50 = getelementptr inbounds i8, ptr %49, i64 3, !dbg !176
  %51 = load i8, ptr %50, align 1, !dbg !176
  %52 = icmp ne i8 %51, 0, !dbg !176
  br i1 %52, label %57, label %53, !dbg !176

53:                                               ; preds = %48
  %54 = load ptr, ptr %4, align 8, !dbg !176
  %55 = load ptr, ptr %5, align 8, !dbg !176
  %56 = call ptr @threebyte_strstr(ptr noundef %54, ptr noundef %55) #3, !dbg !176
  store ptr %56, ptr %3, align 8, !dbg !176
  br label %76, !dbg !176

57:                                               ; preds = %48
  %58 = load ptr, ptr %4, align 8, !dbg !177
  %59 = getelementptr inbounds i8, ptr %58, i64 3, !dbg !177
  %60 = load i8, ptr %59, align 1, !dbg !177
  %61 = icmp ne i8 %60, 0, !dbg !177
  br i1 %61, label %63, label %62, !dbg !177

62:                                               ; preds = %57
  store ptr null, ptr %3, align 8, !dbg !177
  br label %76, !dbg !177

63:                                               ; preds = %57
  %64 = load ptr, ptr %5, align 8, !dbg !178
  %65 = getelementptr inbounds i8, ptr %64, i64 4, !dbg !178
  %66 = load i8, ptr %65, align 1, !dbg !178
  %67 = icmp ne i8 %66, 0, !dbg !178
  br i1 %67, label %72, label %68, !dbg !178

68:                                               ; preds = %63
  %69 = load ptr, ptr %4, align 8, !dbg !178
  %70 = load ptr, ptr %5, align 8, !dbg !178
  %71 = call ptr @fourbyte_strstr(ptr noundef %69, ptr noundef %70) #3, !dbg !178
  store ptr %71, ptr %3, align 8, !dbg !178
  br label %76, !dbg !178

72:                                               ; preds = %63
  %73 = load ptr, ptr %4, align 8, !dbg !179
  %74 = load ptr, ptr %5, align 8, !dbg !179
  %75 = call ptr @twoway_strstr(ptr noundef %73, ptr noundef %74) #3, !dbg !179
  store ptr %75, ptr %3, align 8, !dbg !179
  br label %76, !dbg !179

76:                                               ; preds = %72, %68, %62, %53, %47, %38, %32, %25, %10
  %77 = load ptr, ptr %3, align 8, !dbg !180
  ret ptr %77, !dbg !180
}

; Function Attrs: noinline nounwind
define internal ptr @twobyte_strstr(ptr noundef %0, ptr noundef %1) #0 !dbg !181 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca i16, align 2
  %6 = alloca i16, align 2
  store ptr %0, ptr %3, align 8
  store ptr %1, ptr %4, align 8
  %7 = load ptr, ptr %4, align 8, !dbg !182
  %8 = getelementptr inbounds i8, ptr %7, i64 0, !dbg !182
  %9 = load i8, ptr %8, align 1, !dbg !182
  %10 = zext i8 %9 to i32, !dbg !182
  %11 = shl i32 %10, 8, !dbg !182
  %12 = load ptr, ptr %4, align 8, !dbg !182
  %13 = getelementptr inbounds i8, ptr %12, i64 1, !dbg !182
  %14 = load i8, ptr %13, align 1, !dbg !182
  %15 = zext i8 %14 to i32, !dbg !182
  %16 = or i32 %11, %15, !dbg !182
  %17 = trunc i32 %16 to i16, !dbg !182
  store i16 %17, ptr %5, align 2, !dbg !182
  %18 = load ptr, ptr %3, align 8, !dbg !182
  %19 = getelementptr inbounds i8, ptr %18, i64 0, !dbg !182
  %20 = load i8, ptr %19, align 1, !dbg !182
  %21 = zext i8 %20 to i32, !dbg !182
  %22 = shl i32 %21, 8, !dbg !182
  %23 = load ptr, ptr %3, align 8, !dbg !182
  %24 = getelementptr inbounds i8, ptr %23, i64 1, !dbg !182
  %25 = load i8, ptr %24, align 1, !dbg !182
  %26 = zext i8 %25 to i32, !dbg !182
  %27 = or i32 %22, %26, !dbg !182
  %28 = trunc i32 %27 to i16, !dbg !182
  store i16 %28, ptr %6, align 2, !dbg !182
  %29 = load ptr, ptr %3, align 8, !dbg !183
  %30 = getelementptr inbounds i8, ptr %29, i32 1, !dbg !183
  store ptr %30, ptr %3, align 8, !dbg !183
  br label %31, !dbg !183

31:                                               ; preds = %45, %2
  %32 = load ptr, ptr %3, align 8, !dbg !183
  %33 = load i8, ptr %32, align 1, !dbg !183
  %34 = zext i8 %33 to i32, !dbg !183
  %35 = icmp ne i32 %34, 0, !dbg !183
  br i1 %35, label %36, label %42, !dbg !183

36:                                               ; preds = %31
  %37 = load i16, ptr %6, align 2, !dbg !183
  %38 = zext i16 %37 to i32, !dbg !183
  %39 = load i16, ptr %5, align 2, !dbg !183
  %40 = zext i16 %39 to i32, !dbg !183
  %41 = icmp ne i32 %38, %40, !dbg !183
  br label %42

42:                                               ; preds = %36, %31
  %43 = phi i1 [ false, %31 ], [ %41, %36 ], !dbg !184
  br i1 %43, label %44, label %55, !dbg !183

44:                                               ; preds = %42
  br label %45, !dbg !183

45:                                               ; preds = %44
  %46 = load i16, ptr %6, align 2, !dbg !183
  %47 = zext i16 %46 to i32, !dbg !183
  %48 = shl i32 %47, 8, !dbg !183
  %49 = load ptr, ptr %3, align 8, !dbg !183
  %50 = getelementptr inbounds i8, ptr %49, i32 1, !dbg !183
  store ptr %50, ptr %3, align 8, !dbg !183
  %51 = load i8, ptr %50, align 1, !dbg !183
  %52 = zext i8 %51 to i32, !dbg !183
  %53 = or i32 %48, %52, !dbg !183
  %54 = trunc i32 %53 to i16, !dbg !183
  store i16 %54, ptr %6, align 2, !dbg !183
  br label %31, !dbg !183, !llvm.loop !185

55:                                               ; preds = %42
  %56 = load ptr, ptr %3, align 8, !dbg !186
  %57 = load i8, ptr %56, align 1, !dbg !186
  %58 = zext i8 %57 to i32, !dbg !186
  %59 = icmp ne i32 %58, 0, !dbg !186
  br i1 %59, label %60, label %63, !dbg !186

60:                                               ; preds = %55
  %61 = load ptr, ptr %3, align 8, !dbg !186
  %62 = getelementptr inbounds i8, ptr %61, i64 -1, !dbg !186
  br label %64, !dbg !186

63:                                               ; preds = %55
  br label %64, !dbg !186

64:                                               ; preds = %63, %60
  %65 = phi ptr [ %62, %60 ], [ null, %63 ], !dbg !186
  ret ptr %65, !dbg !186
}

; Function Attrs: noinline nounwind
define internal ptr @threebyte_strstr(ptr noundef %0, ptr noundef %1) #0 !dbg !187 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
  store ptr %1, ptr %4, align 8
  %7 = load ptr, ptr %4, align 8, !dbg !188
  %8 = getelementptr inbounds i8, ptr %7, i64 0, !dbg !188
  %9 = load i8, ptr %8, align 1, !dbg !188
  %10 = zext i8 %9 to i32, !dbg !188
  %11 = shl i32 %10, 24, !dbg !188
  %12 = load ptr, ptr %4, align 8, !dbg !188
  %13 = getelementptr inbounds i8, ptr %12, i64 1, !dbg !188
  %14 = load i8, ptr %13, align 1, !dbg !188
  %15 = zext i8 %14 to i32, !dbg !188
  %16 = shl i32 %15, 16, !dbg !188
  %17 = or i32 %11, %16, !dbg !188
  %18 = load ptr, ptr %4, align 8, !dbg !188
  %19 = getelementptr inbounds i8, ptr %18, i64 2, !dbg !188
  %20 = load i8, ptr %19, align 1, !dbg !188
  %21 = zext i8 %20 to i32, !dbg !188
  %22 = shl i32 %21, 8, !dbg !188
  %23 = or i32 %17, %22, !dbg !188
  store i32 %23, ptr %5, align 4, !dbg !188
  %24 = load ptr, ptr %3, align 8, !dbg !189
  %25 = getelementptr inbounds i8, ptr %24, i64 0, !dbg !189
  %26 = load i8, ptr %25, align 1, !dbg !189
  %27 = zext i8 %26 to i32, !dbg !189
  %28 = shl i32 %27, 24, !dbg !189
  %29 = load ptr, ptr %3, align 8, !dbg !189
  %30 = getelementptr inbounds i8, ptr %29, i64 1, !dbg !189
  %31 = load i8, ptr %30, align 1, !dbg !189
  %32 = zext i8 %31 to i32, !dbg !189
  %33 = shl i32 %32, 16, !dbg !189
  %34 = or i32 %28, %33, !dbg !189
  %35 = load ptr, ptr %3, align 8, !dbg !189
  %36 = getelementptr inbounds i8, ptr %35, i64 2, !dbg !189
  %37 = load i8, ptr %36, align 1, !dbg !189
  %38 = zext i8 %37 to i32, !dbg !189
  %39 = shl i32 %38, 8, !dbg !189
  %40 = or i32 %34, %39, !dbg !189
  store i32 %40, ptr %6, align 4, !dbg !189
  %41 = load ptr, ptr %3, align 8, !dbg !190
  %42 = getelementptr inbounds i8, ptr %41, i64 2, !dbg !190
  store ptr %42, ptr %3, align 8, !dbg !190
  br label %43, !dbg !190

43:                                               ; preds = %55, %2
  %44 = load ptr, ptr %3, align 8, !dbg !190
  %45 = load i8, ptr %44, align 1, !dbg !190
  %46 = zext i8 %45 to i32, !dbg !190
  %47 = icmp ne i32 %46, 0, !dbg !190
  br i1 %47, label %48, label %52, !dbg !190

48:                                               ; preds = %43
  %49 = load i32, ptr %6, align 4, !dbg !190
  %50 = load i32, ptr %5, align 4, !dbg !190
  %51 = icmp ne i32 %49, %50, !dbg !190
  br label %52

52:                                               ; preds = %48, %43
  %53 = phi i1 [ false, %43 ], [ %51, %48 ], !dbg !191
  br i1 %53, label %54, label %63, !dbg !190

54:                                               ; preds = %52
  br label %55, !dbg !190

55:                                               ; preds = %54
  %56 = load i32, ptr %6, align 4, !dbg !190
  %57 = load ptr, ptr %3, align 8, !dbg !190
  %58 = getelementptr inbounds i8, ptr %57, i32 1, !dbg !190
  store ptr %58, ptr %3, align 8, !dbg !190
  %59 = load i8, ptr %58, align 1, !dbg !190
  %60 = zext i8 %59 to i32, !dbg !190
  %61 = or i32 %56, %60, !dbg !190
  %62 = shl i32 %61, 8, !dbg !190
  store i32 %62, ptr %6, align 4, !dbg !190
  br label %43, !dbg !190, !llvm.loop !192

63:                                               ; preds = %52
  %64 = load ptr, ptr %3, align 8, !dbg !193
  %65 = load i8, ptr %64, align 1, !dbg !193
  %66 = zext i8 %65 to i32, !dbg !193
  %67 = icmp ne i32 %66, 0, !dbg !193
  br i1 %67, label %68, label %71, !dbg !193

68:                                               ; preds = %63
  %69 = load ptr, ptr %3, align 8, !dbg !193
  %70 = getelementptr inbounds i8, ptr %69, i64 -2, !dbg !193
  br label %72, !dbg !193

71:                                               ; preds = %63
  br label %72, !dbg !193

72:                                               ; preds = %71, %68
  %73 = phi ptr [ %70, %68 ], [ null, %71 ], !dbg !193
  ret ptr %73, !dbg !193
}

; Function Attrs: noinline nounwind
define internal ptr @fourbyte_strstr(ptr noundef %0, ptr noundef %1) #0 !dbg !194 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
  store ptr %1, ptr %4, align 8
  %7 = load ptr, ptr %4, align 8, !dbg !195
  %8 = getelementptr inbounds i8, ptr %7, i64 0, !dbg !195
  %9 = load i8, ptr %8, align 1, !dbg !195
  %10 = zext i8 %9 to i32, !dbg !195
  %11 = shl i32 %10, 24, !dbg !195
  %12 = load ptr, ptr %4, align 8, !dbg !195
  %13 = getelementptr inbounds i8, ptr %12, i64 1, !dbg !195
  %14 = load i8, ptr %13, align 1, !dbg !195
  %15 = zext i8 %14 to i32, !dbg !195
  %16 = shl i32 %15, 16, !dbg !195
  %17 = or i32 %11, %16, !dbg !195
  %18 = load ptr, ptr %4, align 8, !dbg !195
  %19 = getelementptr inbounds i8, ptr %18, i64 2, !dbg !195
  %20 = load i8, ptr %19, align 1, !dbg !195
  %21 = zext i8 %20 to i32, !dbg !195
  %22 = shl i32 %21, 8, !dbg !195
  %23 = or i32 %17, %22, !dbg !195
  %24 = load ptr, ptr %4, align 8, !dbg !195
  %25 = getelementptr inbounds i8, ptr %24, i64 3, !dbg !195
  %26 = load i8, ptr %25, align 1, !dbg !195
  %27 = zext i8 %26 to i32, !dbg !195
  %28 = or i32 %23, %27, !dbg !195
  store i32 %28, ptr %5, align 4, !dbg !195
  %29 = load ptr, ptr %3, align 8, !dbg !196
  %30 = getelementptr inbounds i8, ptr %29, i64 0, !dbg !196
  %31 = load i8, ptr %30, align 1, !dbg !196
  %32 = zext i8 %31 to i32, !dbg !196
  %33 = shl i32 %32, 24, !dbg !196
  %34 = load ptr, ptr %3, align 8, !dbg !196
  %35 = getelementptr inbounds i8, ptr %34, i64 1, !dbg !196
  %36 = load i8, ptr %35, align 1, !dbg !196
  %37 = zext i8 %36 to i32, !dbg !196
  %38 = shl i32 %37, 16, !dbg !196
  %39 = or i32 %33, %38, !dbg !196
  %40 = load ptr, ptr %3, align 8, !dbg !196
  %41 = getelementptr inbounds i8, ptr %40, i64 2, !dbg !196
  %42 = load i8, ptr %41, align 1, !dbg !196
  %43 = zext i8 %42 to i32, !dbg !196
  %44 = shl i32 %43, 8, !dbg !196
  %45 = or i32 %39, %44, !dbg !196
  %46 = load ptr, ptr %3, align 8, !dbg !196
  %47 = getelementptr inbounds i8, ptr %46, i64 3, !dbg !196
  %48 = load i8, ptr %47, align 1, !dbg !196
  %49 = zext i8 %48 to i32, !dbg !196
  %50 = or i32 %45, %49, !dbg !196
  store i32 %50, ptr %6, align 4, !dbg !196
  %51 = load ptr, ptr %3, align 8, !dbg !197
  %52 = getelementptr inbounds i8, ptr %51, i64 3, !dbg !197
  store ptr %52, ptr %3, align 8, !dbg !197
  br label %53, !dbg !197

53:                                               ; preds = %65, %2
  %54 = load ptr, ptr %3, align 8, !dbg !197
  %55 = load i8, ptr %54, align 1, !dbg !197
  %56 = zext i8 %55 to i32, !dbg !197
  %57 = icmp ne i32 %56, 0, !dbg !197
  br i1 %57, label %58, label %62, !dbg !197

58:                                               ; preds = %53
  %59 = load i32, ptr %6, align 4, !dbg !197
  %60 = load i32, ptr %5, align 4, !dbg !197
  %61 = icmp ne i32 %59, %60, !dbg !197
  br label %62

62:                                               ; preds = %58, %53
  %63 = phi i1 [ false, %53 ], [ %61, %58 ], !dbg !198
  br i1 %63, label %64, label %73, !dbg !197

64:                                               ; preds = %62
  br label %65, !dbg !197

65:                                               ; preds = %64
  %66 = load i32, ptr %6, align 4, !dbg !197
  %67 = shl i32 %66, 8, !dbg !197
  %68 = load ptr, ptr %3, align 8, !dbg !197
  %69 = getelementptr inbounds i8, ptr %68, i32 1, !dbg !197
  store ptr %69, ptr %3, align 8, !dbg !197
  %70 = load i8, ptr %69, align 1, !dbg !197
  %71 = zext i8 %70 to i32, !dbg !197
  %72 = or i32 %67, %71, !dbg !197
  store i32 %72, ptr %6, align 4, !dbg !197
  br label %53, !dbg !197, !llvm.loop !199

73:                                               ; preds = %62
  %74 = load ptr, ptr %3, align 8, !dbg !200
  %75 = load i8, ptr %74, align 1, !dbg !200
  %76 = zext i8 %75 to i32, !dbg !200
  %77 = icmp ne i32 %76, 0, !dbg !200
  br i1 %77, label %78, label %81, !dbg !200

78:                                               ; preds = %73
  %79 = load ptr, ptr %3, align 8, !dbg !200
  %80 = getelementptr inbounds i8, ptr %79, i64 -3, !dbg !200
  br label %82, !dbg !200

81:                                               ; preds = %73
  br label %82, !dbg !200

82:                                               ; preds = %81, %78
  %83 = phi ptr [ %80, %78 ], [ null, %81 ], !dbg !200
  ret ptr %83, !dbg !200
}

; Function Attrs: noinline nounwind
define internal ptr @twoway_strstr(ptr noundef %0, ptr noundef %1) #0 !dbg !201 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca i64, align 8
  %8 = alloca i64, align 8
  %9 = alloca i64, align 8
  %10 = alloca i64, align 8
  %11 = alloca i64, align 8
  %12 = alloca i64, align 8
  %13 = alloca i64, align 8
  %14 = alloca i64, align 8
  %15 = alloca i64, align 8
  %16 = alloca [4 x i64], align 16
  %17 = alloca [256 x i64], align 16
  %18 = alloca i64, align 8
  %19 = alloca ptr, align 8
  store ptr %0, ptr %4, align 8
  store ptr %1, ptr %5, align 8
  call void @llvm.memset.p0.i64(ptr align 16 %16, i8 0, i64 32, i1 false), !dbg !202
  store i64 0, ptr %7, align 8, !dbg !203
  br label %20, !dbg !203

20:                                               ; preds = %61, %2
  %21 = load ptr, ptr %5, align 8, !dbg !203
  %22 = load i64, ptr %7, align 8, !dbg !203
  %23 = getelementptr inbounds i8, ptr %21, i64 %22, !dbg !203
  %24 = load i8, ptr %23, align 1, !dbg !203
  %25 = zext i8 %24 to i32, !dbg !203
  %26 = icmp ne i32 %25, 0, !dbg !203
  br i1 %26, label %27, label %34, !dbg !203

27:                                               ; preds = %20
  %28 = load ptr, ptr %4, align 8, !dbg !203
  %29 = load i64, ptr %7, align 8, !dbg !203
  %30 = getelementptr inbounds i8, ptr %28, i64 %29, !dbg !203
  %31 = load i8, ptr %30, align 1, !dbg !203
  %32 = zext i8 %31 to i32, !dbg !203
  %33 = icmp ne i32 %32, 0, !dbg !203
  br label %34

34:                                               ; preds = %27, %20
  %35 = phi i1 [ false, %20 ], [ %33, %27 ], !dbg !204
  br i1 %35, label %36, label %64, !dbg !203

36:                                               ; preds = %34
  %37 = load ptr, ptr %5, align 8, !dbg !205
  %38 = load i64, ptr %7, align 8, !dbg !205
  %39 = getelementptr inbounds i8, ptr %37, i64 %38, !dbg !205
  %40 = load i8, ptr %39, align 1, !dbg !205
  %41 = zext i8 %40 to i64, !dbg !205
  %42 = urem i64 %41, 64, !dbg !205
  %43 = shl i64 1, %42, !dbg !205
  %44 = load ptr, ptr %5, align 8, !dbg !205
  %45 = load i64, ptr %7, align 8, !dbg !205
  %46 = getelementptr inbounds i8, ptr %44, i64 %45, !dbg !205
  %47 = load i8, ptr %46, align 1, !dbg !205
  %48 = zext i8 %47 to i64, !dbg !205
  %49 = udiv i64 %48, 64, !dbg !205
  %50 = getelementptr inbounds [4 x i64], ptr %16, i64 0, i64 %49, !dbg !205
  %51 = load i64, ptr %50, align 8, !dbg !205
  %52 = or i64 %51, %43, !dbg !205
  store i64 %52, ptr %50, align 8, !dbg !205
  %53 = load i64, ptr %7, align 8, !dbg !205
  %54 = add i64 %53, 1, !dbg !205
  %55 = load ptr, ptr %5, align 8, !dbg !205
  %56 = load i64, ptr %7, align 8, !dbg !205
  %57 = getelementptr inbounds i8, ptr %55, i64 %56, !dbg !205
  %58 = load i8, ptr %57, align 1, !dbg !205
  %59 = zext i8 %58 to i64, !dbg !205
  %60 = getelementptr inbounds [256 x i64], ptr %17, i64 0, i64 %59, !dbg !205
  store i64 %54, ptr %60, align 8, !dbg !205
  br label %61, !dbg !205

61:                                               ; preds = %36
  %62 = load i64, ptr %7, align 8, !dbg !203
  %63 = add i64 %62, 1, !dbg !203
  store i64 %63, ptr %7, align 8, !dbg !203
  br label %20, !dbg !203, !llvm.loop !206

64:                                               ; preds = %34
  %65 = load ptr, ptr %5, align 8, !dbg !207
  %66 = load i64, ptr %7, align 8, !dbg !207
  %67 = getelementptr inbounds i8, ptr %65, i64 %66, !dbg !207
  %68 = load i8, ptr %67, align 1, !dbg !207
  %69 = icmp ne i8 %68, 0, !dbg !207
  br i1 %69, label %70, label %71, !dbg !207

70:                                               ; preds = %64
  store ptr null, ptr %3, align 8, !dbg !207
  br label %408, !dbg !207

71:                                               ; preds = %64
  store i64 -1, ptr %8, align 8, !dbg !208
  store i64 0, ptr %9, align 8, !dbg !208
  store i64 1, ptr %11, align 8, !dbg !208
  store i64 1, ptr %10, align 8, !dbg !208
  br label %72, !dbg !209

72:                                               ; preds = %133, %71
  %73 = load i64, ptr %9, align 8, !dbg !209
  %74 = load i64, ptr %10, align 8, !dbg !209
  %75 = add i64 %73, %74, !dbg !209
  %76 = load i64, ptr %7, align 8, !dbg !209
  %77 = icmp ult i64 %75, %76, !dbg !209
  br i1 %77, label %78, label %134, !dbg !209

78:                                               ; preds = %72
  %79 = load ptr, ptr %5, align 8, !dbg !210
  %80 = load i64, ptr %8, align 8, !dbg !210
  %81 = load i64, ptr %10, align 8, !dbg !210
  %82 = add i64 %80, %81, !dbg !210
  %83 = getelementptr inbounds i8, ptr %79, i64 %82, !dbg !210
  %84 = load i8, ptr %83, align 1, !dbg !210
  %85 = zext i8 %84 to i32, !dbg !210
  %86 = load ptr, ptr %5, align 8, !dbg !210
  %87 = load i64, ptr %9, align 8, !dbg !210
  %88 = load i64, ptr %10, align 8, !dbg !210
  %89 = add i64 %87, %88, !dbg !210
  %90 = getelementptr inbounds i8, ptr %86, i64 %89, !dbg !210
  %91 = load i8, ptr %90, align 1, !dbg !210
  %92 = zext i8 %91 to i32, !dbg !210
  %93 = icmp eq i32 %85, %92, !dbg !210
  br i1 %93, label %94, label %106, !dbg !210

94:                                               ; preds = %78
  %95 = load i64, ptr %10, align 8, !dbg !211
  %96 = load i64, ptr %11, align 8, !dbg !211
  %97 = icmp eq i64 %95, %96, !dbg !211
  br i1 %97, label %98, label %102, !dbg !211

98:                                               ; preds = %94
  %99 = load i64, ptr %11, align 8, !dbg !212
  %100 = load i64, ptr %9, align 8, !dbg !212
  %101 = add i64 %100, %99, !dbg !212
  store i64 %101, ptr %9, align 8, !dbg !212
  store i64 1, ptr %10, align 8, !dbg !213
  br label %105, !dbg !214

102:                                              ; preds = %94
  %103 = load i64, ptr %10, align 8, !dbg !214
  %104 = add i64 %103, 1, !dbg !214
  store i64 %104, ptr %10, align 8, !dbg !214
  br label %105

105:                                              ; preds = %102, %98
  br label %133, !dbg !215

106:                                              ; preds = %78
  %107 = load ptr, ptr %5, align 8, !dbg !215
  %108 = load i64, ptr %8, align 8, !dbg !215
  %109 = load i64, ptr %10, align 8, !dbg !215
  %110 = add i64 %108, %109, !dbg !215
  %111 = getelementptr inbounds i8, ptr %107, i64 %110, !dbg !215
  %112 = load i8, ptr %111, align 1, !dbg !215
  %113 = zext i8 %112 to i32, !dbg !215
  %114 = load ptr, ptr %5, align 8, !dbg !215
  %115 = load i64, ptr %9, align 8, !dbg !215
  %116 = load i64, ptr %10, align 8, !dbg !215
  %117 = add i64 %115, %116, !dbg !215
  %118 = getelementptr inbounds i8, ptr %114, i64 %117, !dbg !215
  %119 = load i8, ptr %118, align 1, !dbg !215
  %120 = zext i8 %119 to i32, !dbg !215
  %121 = icmp sgt i32 %113, %120, !dbg !215
  br i1 %121, label %122, label %129, !dbg !215

122:                                              ; preds = %106
  %123 = load i64, ptr %10, align 8, !dbg !216
  %124 = load i64, ptr %9, align 8, !dbg !216
  %125 = add i64 %124, %123, !dbg !216
  store i64 %125, ptr %9, align 8, !dbg !216
  store i64 1, ptr %10, align 8, !dbg !217
  %126 = load i64, ptr %9, align 8, !dbg !218
  %127 = load i64, ptr %8, align 8, !dbg !218
  %128 = sub i64 %126, %127, !dbg !218
  store i64 %128, ptr %11, align 8, !dbg !218
  br label %132, !dbg !219

129:                                              ; preds = %106
  %130 = load i64, ptr %9, align 8, !dbg !220
  %131 = add i64 %130, 1, !dbg !220
  store i64 %131, ptr %9, align 8, !dbg !220
  store i64 %130, ptr %8, align 8, !dbg !220
  store i64 1, ptr %11, align 8, !dbg !221
  store i64 1, ptr %10, align 8, !dbg !221
  br label %132

132:                                              ; preds = %129, %122
  br label %133

133:                                              ; preds = %132, %105
  br label %72, !dbg !209, !llvm.loop !222

134:                                              ; preds = %72
  %135 = load i64, ptr %8, align 8, !dbg !224
  store i64 %135, ptr %12, align 8, !dbg !224
  %136 = load i64, ptr %11, align 8, !dbg !225
  store i64 %136, ptr %13, align 8, !dbg !225
  store i64 -1, ptr %8, align 8, !dbg !226
  store i64 0, ptr %9, align 8, !dbg !226
  store i64 1, ptr %11, align 8, !dbg !226
  store i64 1, ptr %10, align 8, !dbg !226
  br label %137, !dbg !227

137:                                              ; preds = %198, %134
  %138 = load i64, ptr %9, align 8, !dbg !227
  %139 = load i64, ptr %10, align 8, !dbg !227
  %140 = add i64 %138, %139, !dbg !227
  %141 = load i64, ptr %7, align 8, !dbg !227
  %142 = icmp ult i64 %140, %141, !dbg !227
  br i1 %142, label %143, label %199, !dbg !227

143:                                              ; preds = %137
  %144 = load ptr, ptr %5, align 8, !dbg !228
  %145 = load i64, ptr %8, align 8, !dbg !228
  %146 = load i64, ptr %10, align 8, !dbg !228
  %147 = add i64 %145, %146, !dbg !228
  %148 = getelementptr inbounds i8, ptr %144, i64 %147, !dbg !228
  %149 = load i8, ptr %148, align 1, !dbg !228
  %150 = zext i8 %149 to i32, !dbg !228
  %151 = load ptr, ptr %5, align 8, !dbg !228
  %152 = load i64, ptr %9, align 8, !dbg !228
  %153 = load i64, ptr %10, align 8, !dbg !228
  %154 = add i64 %152, %153, !dbg !228
  %155 = getelementptr inbounds i8, ptr %151, i64 %154, !dbg !228
  %156 = load i8, ptr %155, align 1, !dbg !228
  %157 = zext i8 %156 to i32, !dbg !228
  %158 = icmp eq i32 %150, %157, !dbg !228
  br i1 %158, label %159, label %171, !dbg !228

159:                                              ; preds = %143
  %160 = load i64, ptr %10, align 8, !dbg !229
  %161 = load i64, ptr %11, align 8, !dbg !229
  %162 = icmp eq i64 %160, %161, !dbg !229
  br i1 %162, label %163, label %167, !dbg !229

163:                                              ; preds = %159
  %164 = load i64, ptr %11, align 8, !dbg !230
  %165 = load i64, ptr %9, align 8, !dbg !230
  %166 = add i64 %165, %164, !dbg !230
  store i64 %166, ptr %9, align 8, !dbg !230
  store i64 1, ptr %10, align 8, !dbg !231
  br label %170, !dbg !232

167:                                              ; preds = %159
  %168 = load i64, ptr %10, align 8, !dbg !232
  %169 = add i64 %168, 1, !dbg !232
  store i64 %169, ptr %10, align 8, !dbg !232
  br label %170

170:                                              ; preds = %167, %163
  br label %198, !dbg !233

171:                                              ; preds = %143
  %172 = load ptr, ptr %5, align 8, !dbg !233
  %173 = load i64, ptr %8, align 8, !dbg !233
  %174 = load i64, ptr %10, align 8, !dbg !233
  %175 = add i64 %173, %174, !dbg !233
  %176 = getelementptr inbounds i8, ptr %172, i64 %175, !dbg !233
  %177 = load i8, ptr %176, align 1, !dbg !233
  %178 = zext i8 %177 to i32, !dbg !233
  %179 = load ptr, ptr %5, align 8, !dbg !233
  %180 = load i64, ptr %9, align 8, !dbg !233
  %181 = load i64, ptr %10, align 8, !dbg !233
  %182 = add i64 %180, %181, !dbg !233
  %183 = getelementptr inbounds i8, ptr %179, i64 %182, !dbg !233
  %184 = load i8, ptr %183, align 1, !dbg !233
  %185 = zext i8 %184 to i32, !dbg !233
  %186 = icmp slt i32 %178, %185, !dbg !233
  br i1 %186, label %187, label %194, !dbg !233

187:                                              ; preds = %171
  %188 = load i64, ptr %10, align 8, !dbg !234
  %189 = load i64, ptr %9, align 8, !dbg !234
  %190 = add i64 %189, %188, !dbg !234
  store i64 %190, ptr %9, align 8, !dbg !234
  store i64 1, ptr %10, align 8, !dbg !235
  %191 = load i64, ptr %9, align 8, !dbg !236
  %192 = load i64, ptr %8, align 8, !dbg !236
  %193 = sub i64 %191, %192, !dbg !236
  store i64 %193, ptr %11, align 8, !dbg !236
  br label %197, !dbg !237

194:                                              ; preds = %171
  %195 = load i64, ptr %9, align 8, !dbg !238
  %196 = add i64 %195, 1, !dbg !238
  store i64 %196, ptr %9, align 8, !dbg !238
  store i64 %195, ptr %8, align 8, !dbg !238
  store i64 1, ptr %11, align 8, !dbg !239
  store i64 1, ptr %10, align 8, !dbg !239
  br label %197

197:                                              ; preds = %194, %187
  br label %198

198:                                              ; preds = %197, %170
  br label %137, !dbg !227, !llvm.loop !240

199:                                              ; preds = %137
  %200 = load i64, ptr %8, align 8, !dbg !242
  %201 = add i64 %200, 1, !dbg !242
  %202 = load i64, ptr %12, align 8, !dbg !242
  %203 = add i64 %202, 1, !dbg !242
  %204 = icmp ugt i64 %201, %203, !dbg !242
  br i1 %204, label %205, label %207, !dbg !242

205:                                              ; preds = %199
  %206 = load i64, ptr %8, align 8, !dbg !242
  store i64 %206, ptr %12, align 8, !dbg !242
  br label %209, !dbg !242

207:                                              ; preds = %199
  %208 = load i64, ptr %13, align 8, !dbg !243
  store i64 %208, ptr %11, align 8, !dbg !243
  br label %209

209:                                              ; preds = %207, %205
  %210 = load ptr, ptr %5, align 8, !dbg !244
  %211 = load ptr, ptr %5, align 8, !dbg !244
  %212 = load i64, ptr %11, align 8, !dbg !244
  %213 = getelementptr inbounds i8, ptr %211, i64 %212, !dbg !244
  %214 = load i64, ptr %12, align 8, !dbg !244
  %215 = add i64 %214, 1, !dbg !244
  %216 = call i32 @memcmp(ptr noundef %210, ptr noundef %213, i64 noundef %215) #3, !dbg !244
  %217 = icmp ne i32 %216, 0, !dbg !244
  br i1 %217, label %218, label %235, !dbg !244

218:                                              ; preds = %209
  store i64 0, ptr %15, align 8, !dbg !245
  %219 = load i64, ptr %12, align 8, !dbg !246
  %220 = load i64, ptr %7, align 8, !dbg !246
  %221 = load i64, ptr %12, align 8, !dbg !246
  %222 = sub i64 %220, %221, !dbg !246
  %223 = sub i64 %222, 1, !dbg !246
  %224 = icmp ugt i64 %219, %223, !dbg !246
  br i1 %224, label %225, label %227, !dbg !246

225:                                              ; preds = %218
  %226 = load i64, ptr %12, align 8, !dbg !246
  br label %232, !dbg !246

227:                                              ; preds = %218
  %228 = load i64, ptr %7, align 8, !dbg !246
  %229 = load i64, ptr %12, align 8, !dbg !246
  %230 = sub i64 %228, %229, !dbg !246
  %231 = sub i64 %230, 1, !dbg !246
  br label %232, !dbg !246

232:                                              ; preds = %227, %225
  %233 = phi i64 [ %226, %225 ], [ %231, %227 ], !dbg !246
  %234 = add i64 %233, 1, !dbg !246
  store i64 %234, ptr %11, align 8, !dbg !246
  br label %239, !dbg !247

235:                                              ; preds = %209
  %236 = load i64, ptr %7, align 8, !dbg !247
  %237 = load i64, ptr %11, align 8, !dbg !247
  %238 = sub i64 %236, %237, !dbg !247
  store i64 %238, ptr %15, align 8, !dbg !247
  br label %239

239:                                              ; preds = %235, %232
  store i64 0, ptr %14, align 8, !dbg !248
  %240 = load ptr, ptr %4, align 8, !dbg !249
  store ptr %240, ptr %6, align 8, !dbg !249
  br label %241, !dbg !250

241:                                              ; preds = %403, %364, %317, %312, %239
  %242 = load ptr, ptr %6, align 8, !dbg !251
  %243 = load ptr, ptr %4, align 8, !dbg !251
  %244 = ptrtoint ptr %242 to i64, !dbg !251
  %245 = ptrtoint ptr %243 to i64, !dbg !251
  %246 = sub i64 %244, %245, !dbg !251
  %247 = load i64, ptr %7, align 8, !dbg !251
  %248 = icmp ult i64 %246, %247, !dbg !251
  br i1 %248, label %249, label %273, !dbg !251

249:                                              ; preds = %241
  %250 = load i64, ptr %7, align 8, !dbg !252
  %251 = or i64 %250, 63, !dbg !252
  store i64 %251, ptr %18, align 8, !dbg !252
  %252 = load ptr, ptr %6, align 8, !dbg !253
  %253 = load i64, ptr %18, align 8, !dbg !253
  %254 = call ptr @memchr(ptr noundef %252, i32 noundef 0, i64 noundef %253) #3, !dbg !253
  store ptr %254, ptr %19, align 8, !dbg !253
  %255 = load ptr, ptr %19, align 8, !dbg !254
  %256 = icmp ne ptr %255, null, !dbg !254
  br i1 %256, label %257, label %268, !dbg !254

257:                                              ; preds = %249
  %258 = load ptr, ptr %19, align 8, !dbg !255
  store ptr %258, ptr %6, align 8, !dbg !255
  %259 = load ptr, ptr %6, align 8, !dbg !256
  %260 = load ptr, ptr %4, align 8, !dbg !256
  %261 = ptrtoint ptr %259 to i64, !dbg !256
  %262 = ptrtoint ptr %260 to i64, !dbg !256
  %263 = sub i64 %261, %262, !dbg !256
  %264 = load i64, ptr %7, align 8, !dbg !256
  %265 = icmp ult i64 %263, %264, !dbg !256
  br i1 %265, label %266, label %267, !dbg !256

266:                                              ; preds = %257
  store ptr null, ptr %3, align 8, !dbg !256
  br label %408, !dbg !256

267:                                              ; preds = %257
  br label %272, !dbg !257

268:                                              ; preds = %249
  %269 = load i64, ptr %18, align 8, !dbg !257
  %270 = load ptr, ptr %6, align 8, !dbg !257
  %271 = getelementptr inbounds i8, ptr %270, i64 %269, !dbg !257
  store ptr %271, ptr %6, align 8, !dbg !257
  br label %272

272:                                              ; preds = %268, %267
  br label %273, !dbg !258

273:                                              ; preds = %272, %241
  %274 = load ptr, ptr %4, align 8, !dbg !259
  %275 = load i64, ptr %7, align 8, !dbg !259
  %276 = sub i64 %275, 1, !dbg !259
  %277 = getelementptr inbounds i8, ptr %274, i64 %276, !dbg !259
  %278 = load i8, ptr %277, align 1, !dbg !259
  %279 = zext i8 %278 to i64, !dbg !259
  %280 = udiv i64 %279, 64, !dbg !259
  %281 = getelementptr inbounds [4 x i64], ptr %16, i64 0, i64 %280, !dbg !259
  %282 = load i64, ptr %281, align 8, !dbg !259
  %283 = load ptr, ptr %4, align 8, !dbg !259
  %284 = load i64, ptr %7, align 8, !dbg !259
  %285 = sub i64 %284, 1, !dbg !259
  %286 = getelementptr inbounds i8, ptr %283, i64 %285, !dbg !259
  %287 = load i8, ptr %286, align 1, !dbg !259
  %288 = zext i8 %287 to i64, !dbg !259
  %289 = urem i64 %288, 64, !dbg !259
  %290 = shl i64 1, %289, !dbg !259
  %291 = and i64 %282, %290, !dbg !259
  %292 = icmp ne i64 %291, 0, !dbg !259
  br i1 %292, label %293, label %317, !dbg !259

293:                                              ; preds = %273
  %294 = load i64, ptr %7, align 8, !dbg !260
  %295 = load ptr, ptr %4, align 8, !dbg !260
  %296 = load i64, ptr %7, align 8, !dbg !260
  %297 = sub i64 %296, 1, !dbg !260
  %298 = getelementptr inbounds i8, ptr %295, i64 %297, !dbg !260
  %299 = load i8, ptr %298, align 1, !dbg !260
  %300 = zext i8 %299 to i64, !dbg !260
  %301 = getelementptr inbounds [256 x i64], ptr %17, i64 0, i64 %300, !dbg !260
  %302 = load i64, ptr %301, align 8, !dbg !260
  %303 = sub i64 %294, %302, !dbg !260
  store i64 %303, ptr %10, align 8, !dbg !260
  %304 = load i64, ptr %10, align 8, !dbg !261
  %305 = icmp ne i64 %304, 0, !dbg !261
  br i1 %305, label %306, label %316, !dbg !261

306:                                              ; preds = %293
  %307 = load i64, ptr %10, align 8, !dbg !262
  %308 = load i64, ptr %14, align 8, !dbg !262
  %309 = icmp ult i64 %307, %308, !dbg !262
  br i1 %309, label %310, label %312, !dbg !262

310:                                              ; preds = %306
  %311 = load i64, ptr %14, align 8, !dbg !262
  store i64 %311, ptr %10, align 8, !dbg !262
  br label %312, !dbg !262

312:                                              ; preds = %310, %306
  %313 = load i64, ptr %10, align 8, !dbg !263
  %314 = load ptr, ptr %4, align 8, !dbg !263
  %315 = getelementptr inbounds i8, ptr %314, i64 %313, !dbg !263
  store ptr %315, ptr %4, align 8, !dbg !263
  store i64 0, ptr %14, align 8, !dbg !264
  br label %241, !dbg !265, !llvm.loop !266

316:                                              ; preds = %293
  br label %321, !dbg !268

317:                                              ; preds = %273
  %318 = load i64, ptr %7, align 8, !dbg !269
  %319 = load ptr, ptr %4, align 8, !dbg !269
  %320 = getelementptr inbounds i8, ptr %319, i64 %318, !dbg !269
  store ptr %320, ptr %4, align 8, !dbg !269
  store i64 0, ptr %14, align 8, !dbg !270
  br label %241, !dbg !271, !llvm.loop !266

321:                                              ; preds = %316
  %322 = load i64, ptr %12, align 8, !dbg !272
  %323 = add i64 %322, 1, !dbg !272
  %324 = load i64, ptr %14, align 8, !dbg !272
  %325 = icmp ugt i64 %323, %324, !dbg !272
  br i1 %325, label %326, label %329, !dbg !272

326:                                              ; preds = %321
  %327 = load i64, ptr %12, align 8, !dbg !272
  %328 = add i64 %327, 1, !dbg !272
  br label %331, !dbg !272

329:                                              ; preds = %321
  %330 = load i64, ptr %14, align 8, !dbg !272
  br label %331, !dbg !272

331:                                              ; preds = %329, %326
  %332 = phi i64 [ %328, %326 ], [ %330, %329 ], !dbg !272
  store i64 %332, ptr %10, align 8, !dbg !272
  br label %333, !dbg !272

333:                                              ; preds = %355, %331
  %334 = load ptr, ptr %5, align 8, !dbg !272
  %335 = load i64, ptr %10, align 8, !dbg !272
  %336 = getelementptr inbounds i8, ptr %334, i64 %335, !dbg !272
  %337 = load i8, ptr %336, align 1, !dbg !272
  %338 = zext i8 %337 to i32, !dbg !272
  %339 = icmp ne i32 %338, 0, !dbg !272
  br i1 %339, label %340, label %352, !dbg !272

340:                                              ; preds = %333
  %341 = load ptr, ptr %5, align 8, !dbg !272
  %342 = load i64, ptr %10, align 8, !dbg !272
  %343 = getelementptr inbounds i8, ptr %341, i64 %342, !dbg !272
  %344 = load i8, ptr %343, align 1, !dbg !272
  %345 = zext i8 %344 to i32, !dbg !272
  %346 = load ptr, ptr %4, align 8, !dbg !272
  %347 = load i64, ptr %10, align 8, !dbg !272
  %348 = getelementptr inbounds i8, ptr %346, i64 %347, !dbg !272
  %349 = load i8, ptr %348, align 1, !dbg !272
  %350 = zext i8 %349 to i32, !dbg !272
  %351 = icmp eq i32 %345, %350, !dbg !272
  br label %352

352:                                              ; preds = %340, %333
  %353 = phi i1 [ false, %333 ], [ %351, %340 ], !dbg !204
  br i1 %353, label %354, label %358, !dbg !272

354:                                              ; preds = %352
  br label %355, !dbg !272

355:                                              ; preds = %354
  %356 = load i64, ptr %10, align 8, !dbg !272
  %357 = add i64 %356, 1, !dbg !272
  store i64 %357, ptr %10, align 8, !dbg !272
  br label %333, !dbg !272, !llvm.loop !273

358:                                              ; preds = %352
  %359 = load ptr, ptr %5, align 8, !dbg !274
  %360 = load i64, ptr %10, align 8, !dbg !274
  %361 = getelementptr inbounds i8, ptr %359, i64 %360, !dbg !274
  %362 = load i8, ptr %361, align 1, !dbg !274
  %363 = icmp ne i8 %362, 0, !dbg !274
  br i1 %363, label %364, label %370, !dbg !274

364:                                              ; preds = %358
  %365 = load i64, ptr %10, align 8, !dbg !275
  %366 = load i64, ptr %12, align 8, !dbg !275
  %367 = sub i64 %365, %366, !dbg !275
  %368 = load ptr, ptr %4, align 8, !dbg !275
  %369 = getelementptr inbounds i8, ptr %368, i64 %367, !dbg !275
  store ptr %369, ptr %4, align 8, !dbg !275
  store i64 0, ptr %14, align 8, !dbg !276
  br label %241, !dbg !277, !llvm.loop !266

370:                                              ; preds = %358
  %371 = load i64, ptr %12, align 8, !dbg !278
  %372 = add i64 %371, 1, !dbg !278
  store i64 %372, ptr %10, align 8, !dbg !278
  br label %373, !dbg !278

373:                                              ; preds = %394, %370
  %374 = load i64, ptr %10, align 8, !dbg !278
  %375 = load i64, ptr %14, align 8, !dbg !278
  %376 = icmp ugt i64 %374, %375, !dbg !278
  br i1 %376, label %377, label %391, !dbg !278

377:                                              ; preds = %373
  %378 = load ptr, ptr %5, align 8, !dbg !278
  %379 = load i64, ptr %10, align 8, !dbg !278
  %380 = sub i64 %379, 1, !dbg !278
  %381 = getelementptr inbounds i8, ptr %378, i64 %380, !dbg !278
  %382 = load i8, ptr %381, align 1, !dbg !278
  %383 = zext i8 %382 to i32, !dbg !278
  %384 = load ptr, ptr %4, align 8, !dbg !278
  %385 = load i64, ptr %10, align 8, !dbg !278
  %386 = sub i64 %385, 1, !dbg !278
  %387 = getelementptr inbounds i8, ptr %384, i64 %386, !dbg !278
  %388 = load i8, ptr %387, align 1, !dbg !278
  %389 = zext i8 %388 to i32, !dbg !278
  %390 = icmp eq i32 %383, %389, !dbg !278
  br label %391

391:                                              ; preds = %377, %373
  %392 = phi i1 [ false, %373 ], [ %390, %377 ], !dbg !204
  br i1 %392, label %393, label %397, !dbg !278

393:                                              ; preds = %391
  br label %394, !dbg !278

394:                                              ; preds = %393
  %395 = load i64, ptr %10, align 8, !dbg !278
  %396 = add i64 %395, -1, !dbg !278
  store i64 %396, ptr %10, align 8, !dbg !278
  br label %373, !dbg !278, !llvm.loop !279

397:                                              ; preds = %391
  %398 = load i64, ptr %10, align 8, !dbg !280
  %399 = load i64, ptr %14, align 8, !dbg !280
  %400 = icmp ule i64 %398, %399, !dbg !280
  br i1 %400, label %401, label %403, !dbg !280

401:                                              ; preds = %397
  %402 = load ptr, ptr %4, align 8, !dbg !280
  store ptr %402, ptr %3, align 8, !dbg !280
  br label %408, !dbg !280

403:                                              ; preds = %397
  %404 = load i64, ptr %11, align 8, !dbg !281
  %405 = load ptr, ptr %4, align 8, !dbg !281
  %406 = getelementptr inbounds i8, ptr %405, i64 %404, !dbg !281
  store ptr %406, ptr %4, align 8, !dbg !281
  %407 = load i64, ptr %15, align 8, !dbg !282
  store i64 %407, ptr %14, align 8, !dbg !282
  br label %241, !dbg !250, !llvm.loop !266

408:                                              ; preds = %401, %266, %70
  %409 = load ptr, ptr %3, align 8, !dbg !283
  ret ptr %409, !dbg !283
}

; Function Attrs: noinline nounwind
define dso_local ptr @strtok_r(ptr noalias noundef %0, ptr noalias noundef %1, ptr noalias noundef %2) #0 !dbg !284 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca ptr, align 8
  store ptr %0, ptr %5, align 8
  store ptr %1, ptr %6, align 8
  store ptr %2, ptr %7, align 8
  %8 = load ptr, ptr %5, align 8, !dbg !286
  %9 = icmp ne ptr %8, null, !dbg !286
  br i1 %9, label %15, label %10, !dbg !286

10:                                               ; preds = %3
  %11 = load ptr, ptr %7, align 8, !dbg !286
  %12 = load ptr, ptr %11, align 8, !dbg !286
  store ptr %12, ptr %5, align 8, !dbg !286
  %13 = icmp ne ptr %12, null, !dbg !286
  br i1 %13, label %15, label %14, !dbg !286

14:                                               ; preds = %10
  store ptr null, ptr %4, align 8, !dbg !286
  br label %45, !dbg !286

15:                                               ; preds = %10, %3
  %16 = load ptr, ptr %5, align 8, !dbg !287
  %17 = load ptr, ptr %6, align 8, !dbg !287
  %18 = call i64 @strspn(ptr noundef %16, ptr noundef %17) #3, !dbg !287
  %19 = load ptr, ptr %5, align 8, !dbg !287
  %20 = getelementptr inbounds i8, ptr %19, i64 %18, !dbg !287
  store ptr %20, ptr %5, align 8, !dbg !287
  %21 = load ptr, ptr %5, align 8, !dbg !288
  %22 = load i8, ptr %21, align 1, !dbg !288
  %23 = icmp ne i8 %22, 0, !dbg !288
  br i1 %23, label %26, label %24, !dbg !288

24:                                               ; preds = %15
  %25 = load ptr, ptr %7, align 8, !dbg !288
  store ptr null, ptr %25, align 8, !dbg !288
  store ptr null, ptr %4, align 8, !dbg !288
  br label %45, !dbg !288

26:                                               ; preds = %15
  %27 = load ptr, ptr %5, align 8, !dbg !289
  %28 = load ptr, ptr %5, align 8, !dbg !289
  %29 = load ptr, ptr %6, align 8, !dbg !289
  %30 = call i64 @strcspn(ptr noundef %28, ptr noundef %29) #3, !dbg !289
  %31 = getelementptr inbounds i8, ptr %27, i64 %30, !dbg !289
  %32 = load ptr, ptr %7, align 8, !dbg !289
  store ptr %31, ptr %32, align 8, !dbg !289
  %33 = load ptr, ptr %7, align 8, !dbg !290
  %34 = load ptr, ptr %33, align 8, !dbg !290
  %35 = load i8, ptr %34, align 1, !dbg !290
  %36 = icmp ne i8 %35, 0, !dbg !290
  br i1 %36, label %37, label %41, !dbg !290

37:                                               ; preds = %26
  %38 = load ptr, ptr %7, align 8, !dbg !290
  %39 = load ptr, ptr %38, align 8, !dbg !290
  %40 = getelementptr inbounds i8, ptr %39, i32 1, !dbg !290
  store ptr %40, ptr %38, align 8, !dbg !290
  store i8 0, ptr %39, align 1, !dbg !290
  br label %43, !dbg !290

41:                                               ; preds = %26
  %42 = load ptr, ptr %7, align 8, !dbg !291
  store ptr null, ptr %42, align 8, !dbg !291
  br label %43

43:                                               ; preds = %41, %37
  %44 = load ptr, ptr %5, align 8, !dbg !292
  store ptr %44, ptr %4, align 8, !dbg !292
  br label %45, !dbg !292

45:                                               ; preds = %43, %24, %14
  %46 = load ptr, ptr %4, align 8, !dbg !293
  ret ptr %46, !dbg !293
}

; Function Attrs: noinline nounwind
define dso_local ptr @strtok(ptr noalias noundef %0, ptr noalias noundef %1) #0 !dbg !294 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  store ptr %0, ptr %4, align 8
  store ptr %1, ptr %5, align 8
  %6 = load ptr, ptr %4, align 8, !dbg !296
  %7 = icmp ne ptr %6, null, !dbg !296
  br i1 %7, label %12, label %8, !dbg !296

8:                                                ; preds = %2
  %9 = load ptr, ptr @strtok.p, align 8, !dbg !296
  store ptr %9, ptr %4, align 8, !dbg !296
  %10 = icmp ne ptr %9, null, !dbg !296
  br i1 %10, label %12, label %11, !dbg !296

11:                                               ; preds = %8
  store ptr null, ptr %3, align 8, !dbg !296
  br label %37, !dbg !296

12:                                               ; preds = %8, %2
  %13 = load ptr, ptr %4, align 8, !dbg !297
  %14 = load ptr, ptr %5, align 8, !dbg !297
  %15 = call i64 @strspn(ptr noundef %13, ptr noundef %14) #3, !dbg !297
  %16 = load ptr, ptr %4, align 8, !dbg !297
  %17 = getelementptr inbounds i8, ptr %16, i64 %15, !dbg !297
  store ptr %17, ptr %4, align 8, !dbg !297
  %18 = load ptr, ptr %4, align 8, !dbg !298
  %19 = load i8, ptr %18, align 1, !dbg !298
  %20 = icmp ne i8 %19, 0, !dbg !298
  br i1 %20, label %22, label %21, !dbg !298

21:                                               ; preds = %12
  store ptr null, ptr @strtok.p, align 8, !dbg !298
  store ptr null, ptr %3, align 8, !dbg !298
  br label %37, !dbg !298

22:                                               ; preds = %12
  %23 = load ptr, ptr %4, align 8, !dbg !299
  %24 = load ptr, ptr %4, align 8, !dbg !299
  %25 = load ptr, ptr %5, align 8, !dbg !299
  %26 = call i64 @strcspn(ptr noundef %24, ptr noundef %25) #3, !dbg !299
  %27 = getelementptr inbounds i8, ptr %23, i64 %26, !dbg !299
  store ptr %27, ptr @strtok.p, align 8, !dbg !299
  %28 = load ptr, ptr @strtok.p, align 8, !dbg !300
  %29 = load i8, ptr %28, align 1, !dbg !300
  %30 = icmp ne i8 %29, 0, !dbg !300
  br i1 %30, label %31, label %34, !dbg !300

31:                                               ; preds = %22
  %32 = load ptr, ptr @strtok.p, align 8, !dbg !300
  %33 = getelementptr inbounds i8, ptr %32, i32 1, !dbg !300
  store ptr %33, ptr @strtok.p, align 8, !dbg !300
  store i8 0, ptr %32, align 1, !dbg !300
  br label %35, !dbg !300

34:                                               ; preds = %22
  store ptr null, ptr @strtok.p, align 8, !dbg !301
  br label %35

35:                                               ; preds = %34, %31
  %36 = load ptr, ptr %4, align 8, !dbg !302
  store ptr %36, ptr %3, align 8, !dbg !302
  br label %37, !dbg !302

37:                                               ; preds = %35, %21, %11
  %38 = load ptr, ptr %3, align 8, !dbg !303
  ret ptr %38, !dbg !303
}

; Function Attrs: noinline nounwind
define dso_local ptr @strdup(ptr noundef %0) #0 !dbg !304 {
  %2 = alloca ptr, align 8
  %3 = alloca ptr, align 8
  %4 = alloca i64, align 8
  %5 = alloca ptr, align 8
  store ptr %0, ptr %3, align 8
  %6 = load ptr, ptr %3, align 8, !dbg !306
  %7 = call i64 @strlen(ptr noundef %6) #3, !dbg !306
  store i64 %7, ptr %4, align 8, !dbg !306
  %8 = load i64, ptr %4, align 8, !dbg !307
  %9 = add i64 %8, 1, !dbg !307
  %10 = call ptr @malloc(i64 noundef %9) #3, !dbg !307
  store ptr %10, ptr %5, align 8, !dbg !307
  %11 = load ptr, ptr %5, align 8, !dbg !308
  %12 = icmp ne ptr %11, null, !dbg !308
  br i1 %12, label %14, label %13, !dbg !308

13:                                               ; preds = %1
  store ptr null, ptr %2, align 8, !dbg !308
  br label %20, !dbg !308

14:                                               ; preds = %1
  %15 = load ptr, ptr %5, align 8, !dbg !309
  %16 = load ptr, ptr %3, align 8, !dbg !309
  %17 = load i64, ptr %4, align 8, !dbg !309
  %18 = add i64 %17, 1, !dbg !309
  %19 = call ptr @memcpy(ptr noundef %15, ptr noundef %16, i64 noundef %18) #3, !dbg !309
  store ptr %19, ptr %2, align 8, !dbg !309
  br label %20, !dbg !309

20:                                               ; preds = %14, %13
  %21 = load ptr, ptr %2, align 8, !dbg !310
  ret ptr %21, !dbg !310
}

declare ptr @malloc(i64 noundef) #1

declare ptr @memcpy(ptr noundef, ptr noundef, i64 noundef) #1

; Function Attrs: noinline nounwind
define dso_local ptr @strndup(ptr noundef %0, i64 noundef %1) #0 !dbg !311 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca i64, align 8
  %6 = alloca i64, align 8
  %7 = alloca ptr, align 8
  store ptr %0, ptr %4, align 8
  store i64 %1, ptr %5, align 8
  %8 = load ptr, ptr %4, align 8, !dbg !313
  %9 = load i64, ptr %5, align 8, !dbg !313
  %10 = call i64 @strnlen(ptr noundef %8, i64 noundef %9) #3, !dbg !313
  store i64 %10, ptr %6, align 8, !dbg !313
  %11 = load i64, ptr %6, align 8, !dbg !314
  %12 = add i64 %11, 1, !dbg !314
  %13 = call ptr @malloc(i64 noundef %12) #3, !dbg !314
  store ptr %13, ptr %7, align 8, !dbg !314
  %14 = load ptr, ptr %7, align 8, !dbg !315
  %15 = icmp ne ptr %14, null, !dbg !315
  br i1 %15, label %17, label %16, !dbg !315

16:                                               ; preds = %2
  store ptr null, ptr %3, align 8, !dbg !315
  br label %26, !dbg !315

17:                                               ; preds = %2
  %18 = load ptr, ptr %7, align 8, !dbg !316
  %19 = load ptr, ptr %4, align 8, !dbg !316
  %20 = load i64, ptr %6, align 8, !dbg !316
  %21 = call ptr @memcpy(ptr noundef %18, ptr noundef %19, i64 noundef %20) #3, !dbg !316
  %22 = load ptr, ptr %7, align 8, !dbg !317
  %23 = load i64, ptr %6, align 8, !dbg !317
  %24 = getelementptr inbounds i8, ptr %22, i64 %23, !dbg !317
  store i8 0, ptr %24, align 1, !dbg !317
  %25 = load ptr, ptr %7, align 8, !dbg !318
  store ptr %25, ptr %3, align 8, !dbg !318
  br label %26, !dbg !318

26:                                               ; preds = %17, %16
  %27 = load ptr, ptr %3, align 8, !dbg !319
  ret ptr %27, !dbg !319
}

declare i32 @memcmp(ptr noundef, ptr noundef, i64 noundef) #1

attributes #0 = { noinline nounwind "frame-pointer"="all" "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { "frame-pointer"="all" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #3 = { nobuiltin "no-builtins" }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5, !6, !7}
!llvm.ident = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, producer: "Debian clang version 19.1.7 (3~deb12u1)", isOptimized: false, runtimeVersion: 0, emissionKind: LineTablesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "-", directory: ".", checksumkind: CSK_MD5, checksum: "90b1b06dc2c0dfd935aef4f7a434d79a")
!2 = !{i32 7, !"Dwarf Version", i32 5}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 1, !"wchar_size", i32 4}
!5 = !{i32 8, !"PIC Level", i32 2}
!6 = !{i32 7, !"PIE Level", i32 2}
!7 = !{i32 7, !"frame-pointer", i32 2}
!8 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!9 = distinct !DISubprogram(name: "index", scope: !10, file: !10, line: 5, type: !11, scopeLine: 6, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!10 = !DIFile(filename: "./src/string/index.c", directory: ".", checksumkind: CSK_MD5, checksum: "f3f0717558a255040e3b0cf17ed6ade2")
!11 = !DISubroutineType(types: !12)
!12 = !{}
!13 = !DILocation(line: 7, scope: !9)
!14 = distinct !DISubprogram(name: "strchr", scope: !15, file: !15, line: 3, type: !11, scopeLine: 4, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!15 = !DIFile(filename: "./src/string/strchr.c", directory: ".", checksumkind: CSK_MD5, checksum: "d7d45bf173d21921698dfcb47b42316f")
!16 = !DILocation(line: 5, scope: !14)
!17 = !DILocation(line: 6, scope: !14)
!18 = distinct !DISubprogram(name: "rindex", scope: !19, file: !19, line: 5, type: !11, scopeLine: 6, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!19 = !DIFile(filename: "./src/string/rindex.c", directory: ".", checksumkind: CSK_MD5, checksum: "42b72e9fdc12b895be07f01ca74c54c3")
!20 = !DILocation(line: 7, scope: !18)
!21 = distinct !DISubprogram(name: "strrchr", scope: !22, file: !22, line: 3, type: !11, scopeLine: 4, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!22 = !DIFile(filename: "./src/string/strrchr.c", directory: ".", checksumkind: CSK_MD5, checksum: "e2ebffa3a419f6c5f33aad6e4c440e2e")
!23 = !DILocation(line: 5, scope: !21)
!24 = distinct !DISubprogram(name: "__stpcpy", scope: !25, file: !25, line: 10, type: !11, scopeLine: 11, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!25 = !DIFile(filename: "./src/string/stpcpy.c", directory: ".", checksumkind: CSK_MD5, checksum: "e63799072dce7c11c3089b7ac8aa8061")
!26 = !DILocation(line: 24, scope: !24)
!27 = distinct !{!27, !26, !26}
!28 = !DILocation(line: 26, scope: !24)
!29 = distinct !DISubprogram(name: "__stpncpy", scope: !30, file: !30, line: 10, type: !11, scopeLine: 11, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!30 = !DIFile(filename: "./src/string/stpncpy.c", directory: ".", checksumkind: CSK_MD5, checksum: "b67451355cbadbf5dcd63c987ee958fb")
!31 = !DILocation(line: 25, scope: !29)
!32 = !DILocation(line: 0, scope: !29)
!33 = distinct !{!33, !31, !31}
!34 = !DILocation(line: 27, scope: !29)
!35 = !DILocation(line: 28, scope: !29)
!36 = distinct !DISubprogram(name: "strcasecmp", scope: !37, file: !37, line: 4, type: !11, scopeLine: 5, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!37 = !DIFile(filename: "./src/string/strcasecmp.c", directory: ".", checksumkind: CSK_MD5, checksum: "4fba2e9d430ff4a9317e73e77d76b506")
!38 = !DILocation(line: 6, scope: !36)
!39 = !DILocation(line: 7, scope: !36)
!40 = !DILocation(line: 0, scope: !36)
!41 = distinct !{!41, !39, !39}
!42 = !DILocation(line: 8, scope: !36)
!43 = distinct !DISubprogram(name: "__strcasecmp_l", scope: !37, file: !37, line: 11, type: !11, scopeLine: 12, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!44 = !DILocation(line: 13, scope: !43)
!45 = distinct !DISubprogram(name: "strcat", scope: !46, file: !46, line: 3, type: !11, scopeLine: 4, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!46 = !DIFile(filename: "./src/string/strcat.c", directory: ".", checksumkind: CSK_MD5, checksum: "9ef35084e57e44a479846b5eb22c4f68")
!47 = !DILocation(line: 5, scope: !45)
!48 = !DILocation(line: 6, scope: !45)
!49 = distinct !DISubprogram(name: "strcpy", scope: !50, file: !50, line: 3, type: !11, scopeLine: 4, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!50 = !DIFile(filename: "./src/string/strcpy.c", directory: ".", checksumkind: CSK_MD5, checksum: "1a4b390aeeac7d38d57e7337b299afdf")
!51 = !DILocation(line: 5, scope: !49)
!52 = !DILocation(line: 6, scope: !49)
!53 = distinct !DISubprogram(name: "strlen", scope: !54, file: !54, line: 10, type: !11, scopeLine: 11, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!54 = !DIFile(filename: "./src/string/strlen.c", directory: ".", checksumkind: CSK_MD5, checksum: "9e22a2f5984ee11414ddd920846db9da")
!55 = !DILocation(line: 12, scope: !53)
!56 = !DILocation(line: 20, scope: !53)
!57 = distinct !{!57, !56, !56}
!58 = !DILocation(line: 21, scope: !53)
!59 = distinct !DISubprogram(name: "__strchrnul", scope: !60, file: !60, line: 10, type: !11, scopeLine: 11, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!60 = !DIFile(filename: "./src/string/strchrnul.c", directory: ".", checksumkind: CSK_MD5, checksum: "f3f1c951429cd269f04ca09f8720501a")
!61 = !DILocation(line: 12, scope: !59)
!62 = !DILocation(line: 13, scope: !59)
!63 = !DILocation(line: 24, scope: !59)
!64 = !DILocation(line: 0, scope: !59)
!65 = distinct !{!65, !63, !63}
!66 = !DILocation(line: 25, scope: !59)
!67 = !DILocation(line: 26, scope: !59)
!68 = distinct !DISubprogram(name: "strcmp", scope: !69, file: !69, line: 3, type: !11, scopeLine: 4, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!69 = !DIFile(filename: "./src/string/strcmp.c", directory: ".", checksumkind: CSK_MD5, checksum: "054e195ac3dd4633beb353e3ec11815d")
!70 = !DILocation(line: 5, scope: !68)
!71 = !DILocation(line: 0, scope: !68)
!72 = distinct !{!72, !70, !70}
!73 = !DILocation(line: 6, scope: !68)
!74 = distinct !DISubprogram(name: "strcspn", scope: !75, file: !75, line: 6, type: !11, scopeLine: 7, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!75 = !DIFile(filename: "./src/string/strcspn.c", directory: ".", checksumkind: CSK_MD5, checksum: "e089979d309dd0253db887c7058b3228")
!76 = !DILocation(line: 8, scope: !74)
!77 = !DILocation(line: 11, scope: !74)
!78 = !DILocation(line: 13, scope: !74)
!79 = !DILocation(line: 14, scope: !74)
!80 = !DILocation(line: 0, scope: !74)
!81 = distinct !{!81, !79, !79}
!82 = !DILocation(line: 15, scope: !74)
!83 = distinct !{!83, !82, !82}
!84 = !DILocation(line: 16, scope: !74)
!85 = !DILocation(line: 17, scope: !74)
!86 = distinct !DISubprogram(name: "strlcat", scope: !87, file: !87, line: 4, type: !11, scopeLine: 5, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!87 = !DIFile(filename: "./src/string/strlcat.c", directory: ".", checksumkind: CSK_MD5, checksum: "5cb4cced642d4e8d6a939b60a7fca88c")
!88 = !DILocation(line: 6, scope: !86)
!89 = !DILocation(line: 7, scope: !86)
!90 = !DILocation(line: 8, scope: !86)
!91 = !DILocation(line: 9, scope: !86)
!92 = distinct !DISubprogram(name: "strnlen", scope: !93, file: !93, line: 3, type: !11, scopeLine: 4, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!93 = !DIFile(filename: "./src/string/strnlen.c", directory: ".", checksumkind: CSK_MD5, checksum: "634332d3ccda31faaa9e72904e647a64")
!94 = !DILocation(line: 5, scope: !92)
!95 = !DILocation(line: 6, scope: !92)
!96 = distinct !DISubprogram(name: "strlcpy", scope: !97, file: !97, line: 11, type: !11, scopeLine: 12, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!97 = !DIFile(filename: "./src/string/strlcpy.c", directory: ".", checksumkind: CSK_MD5, checksum: "bf80790430ac6d77f5c94bd9a54cf693")
!98 = !DILocation(line: 13, scope: !96)
!99 = !DILocation(line: 16, scope: !96)
!100 = !DILocation(line: 30, scope: !96)
!101 = !DILocation(line: 0, scope: !96)
!102 = distinct !{!102, !100, !100}
!103 = !DILocation(line: 31, scope: !96)
!104 = !DILocation(line: 33, scope: !96)
!105 = distinct !DISubprogram(name: "strncasecmp", scope: !106, file: !106, line: 4, type: !11, scopeLine: 5, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!106 = !DIFile(filename: "./src/string/strncasecmp.c", directory: ".", checksumkind: CSK_MD5, checksum: "2db73a6a304265f3c958c75365781743")
!107 = !DILocation(line: 6, scope: !105)
!108 = !DILocation(line: 7, scope: !105)
!109 = !DILocation(line: 8, scope: !105)
!110 = !DILocation(line: 0, scope: !105)
!111 = distinct !{!111, !109, !109}
!112 = !DILocation(line: 9, scope: !105)
!113 = !DILocation(line: 10, scope: !105)
!114 = distinct !DISubprogram(name: "__strncasecmp_l", scope: !106, file: !106, line: 12, type: !11, scopeLine: 13, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!115 = !DILocation(line: 14, scope: !114)
!116 = distinct !DISubprogram(name: "strncat", scope: !117, file: !117, line: 3, type: !11, scopeLine: 4, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!117 = !DIFile(filename: "./src/string/strncat.c", directory: ".", checksumkind: CSK_MD5, checksum: "aae6e45c8207b6755e793b85faf17905")
!118 = !DILocation(line: 5, scope: !116)
!119 = !DILocation(line: 6, scope: !116)
!120 = !DILocation(line: 7, scope: !116)
!121 = !DILocation(line: 0, scope: !116)
!122 = distinct !{!122, !120, !120}
!123 = !DILocation(line: 8, scope: !116)
!124 = !DILocation(line: 9, scope: !116)
!125 = distinct !DISubprogram(name: "strncmp", scope: !126, file: !126, line: 3, type: !11, scopeLine: 4, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!126 = !DIFile(filename: "./src/string/strncmp.c", directory: ".", checksumkind: CSK_MD5, checksum: "dc65216f943433804864eb3dc03ffd14")
!127 = !DILocation(line: 5, scope: !125)
!128 = !DILocation(line: 6, scope: !125)
!129 = !DILocation(line: 7, scope: !125)
!130 = !DILocation(line: 0, scope: !125)
!131 = distinct !{!131, !129, !129}
!132 = !DILocation(line: 8, scope: !125)
!133 = !DILocation(line: 9, scope: !125)
!134 = distinct !DISubprogram(name: "strncpy", scope: !135, file: !135, line: 3, type: !11, scopeLine: 4, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!135 = !DIFile(filename: "./src/string/strncpy.c", directory: ".", checksumkind: CSK_MD5, checksum: "e6c0683abfd1206e7d687f79309d65fb")
!136 = !DILocation(line: 5, scope: !134)
!137 = !DILocation(line: 6, scope: !134)
!138 = distinct !DISubprogram(name: "strpbrk", scope: !139, file: !139, line: 3, type: !11, scopeLine: 4, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!139 = !DIFile(filename: "./src/string/strpbrk.c", directory: ".", checksumkind: CSK_MD5, checksum: "955ad3eabbdbcee65d7ca3265446a02f")
!140 = !DILocation(line: 5, scope: !138)
!141 = !DILocation(line: 6, scope: !138)
!142 = distinct !DISubprogram(name: "strsep", scope: !143, file: !143, line: 4, type: !11, scopeLine: 5, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!143 = !DIFile(filename: "./src/string/strsep.c", directory: ".", checksumkind: CSK_MD5, checksum: "f37f09dc16f492d7afc5abef370a4fe9")
!144 = !DILocation(line: 6, scope: !142)
!145 = !DILocation(line: 7, scope: !142)
!146 = !DILocation(line: 8, scope: !142)
!147 = !DILocation(line: 9, scope: !142)
!148 = !DILocation(line: 10, scope: !142)
!149 = !DILocation(line: 11, scope: !142)
!150 = !DILocation(line: 12, scope: !142)
!151 = !DILocation(line: 13, scope: !142)
!152 = distinct !DISubprogram(name: "strspn", scope: !153, file: !153, line: 6, type: !11, scopeLine: 7, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!153 = !DIFile(filename: "./src/string/strspn.c", directory: ".", checksumkind: CSK_MD5, checksum: "833eec9b83d2fa2203450d30fc0e471b")
!154 = !DILocation(line: 8, scope: !152)
!155 = !DILocation(line: 9, scope: !152)
!156 = !DILocation(line: 11, scope: !152)
!157 = !DILocation(line: 12, scope: !152)
!158 = !DILocation(line: 13, scope: !152)
!159 = distinct !{!159, !158, !158}
!160 = !DILocation(line: 14, scope: !152)
!161 = !DILocation(line: 17, scope: !152)
!162 = !DILocation(line: 0, scope: !152)
!163 = distinct !{!163, !161, !161}
!164 = !DILocation(line: 18, scope: !152)
!165 = distinct !{!165, !164, !164}
!166 = !DILocation(line: 19, scope: !152)
!167 = !DILocation(line: 20, scope: !152)
!168 = distinct !DISubprogram(name: "strstr", scope: !169, file: !169, line: 138, type: !11, scopeLine: 139, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!169 = !DIFile(filename: "./src/string/strstr.c", directory: ".", checksumkind: CSK_MD5, checksum: "0a411316b1429e407473fc697db47426")
!170 = !DILocation(line: 141, scope: !168)
!171 = !DILocation(line: 144, scope: !168)
!172 = !DILocation(line: 145, scope: !168)
!173 = !DILocation(line: 146, scope: !168)
!174 = !DILocation(line: 147, scope: !168)
!175 = !DILocation(line: 148, scope: !168)
!176 = !DILocation(line: 149, scope: !168)
!177 = !DILocation(line: 150, scope: !168)
!178 = !DILocation(line: 151, scope: !168)
!179 = !DILocation(line: 153, scope: !168)
!180 = !DILocation(line: 154, scope: !168)
!181 = distinct !DISubprogram(name: "twobyte_strstr", scope: !169, file: !169, line: 4, type: !11, scopeLine: 5, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !0)
!182 = !DILocation(line: 6, scope: !181)
!183 = !DILocation(line: 7, scope: !181)
!184 = !DILocation(line: 0, scope: !181)
!185 = distinct !{!185, !183, !183}
!186 = !DILocation(line: 8, scope: !181)
!187 = distinct !DISubprogram(name: "threebyte_strstr", scope: !169, file: !169, line: 11, type: !11, scopeLine: 12, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !0)
!188 = !DILocation(line: 13, scope: !187)
!189 = !DILocation(line: 14, scope: !187)
!190 = !DILocation(line: 15, scope: !187)
!191 = !DILocation(line: 0, scope: !187)
!192 = distinct !{!192, !190, !190}
!193 = !DILocation(line: 16, scope: !187)
!194 = distinct !DISubprogram(name: "fourbyte_strstr", scope: !169, file: !169, line: 19, type: !11, scopeLine: 20, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !0)
!195 = !DILocation(line: 21, scope: !194)
!196 = !DILocation(line: 22, scope: !194)
!197 = !DILocation(line: 23, scope: !194)
!198 = !DILocation(line: 0, scope: !194)
!199 = distinct !{!199, !197, !197}
!200 = !DILocation(line: 24, scope: !194)
!201 = distinct !DISubprogram(name: "twoway_strstr", scope: !169, file: !169, line: 33, type: !11, scopeLine: 34, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !0)
!202 = !DILocation(line: 37, scope: !201)
!203 = !DILocation(line: 41, scope: !201)
!204 = !DILocation(line: 0, scope: !201)
!205 = !DILocation(line: 42, scope: !201)
!206 = distinct !{!206, !203, !205}
!207 = !DILocation(line: 43, scope: !201)
!208 = !DILocation(line: 46, scope: !201)
!209 = !DILocation(line: 47, scope: !201)
!210 = !DILocation(line: 48, scope: !201)
!211 = !DILocation(line: 49, scope: !201)
!212 = !DILocation(line: 50, scope: !201)
!213 = !DILocation(line: 51, scope: !201)
!214 = !DILocation(line: 52, scope: !201)
!215 = !DILocation(line: 53, scope: !201)
!216 = !DILocation(line: 54, scope: !201)
!217 = !DILocation(line: 55, scope: !201)
!218 = !DILocation(line: 56, scope: !201)
!219 = !DILocation(line: 57, scope: !201)
!220 = !DILocation(line: 58, scope: !201)
!221 = !DILocation(line: 59, scope: !201)
!222 = distinct !{!222, !209, !223}
!223 = !DILocation(line: 61, scope: !201)
!224 = !DILocation(line: 62, scope: !201)
!225 = !DILocation(line: 63, scope: !201)
!226 = !DILocation(line: 66, scope: !201)
!227 = !DILocation(line: 67, scope: !201)
!228 = !DILocation(line: 68, scope: !201)
!229 = !DILocation(line: 69, scope: !201)
!230 = !DILocation(line: 70, scope: !201)
!231 = !DILocation(line: 71, scope: !201)
!232 = !DILocation(line: 72, scope: !201)
!233 = !DILocation(line: 73, scope: !201)
!234 = !DILocation(line: 74, scope: !201)
!235 = !DILocation(line: 75, scope: !201)
!236 = !DILocation(line: 76, scope: !201)
!237 = !DILocation(line: 77, scope: !201)
!238 = !DILocation(line: 78, scope: !201)
!239 = !DILocation(line: 79, scope: !201)
!240 = distinct !{!240, !227, !241}
!241 = !DILocation(line: 81, scope: !201)
!242 = !DILocation(line: 82, scope: !201)
!243 = !DILocation(line: 83, scope: !201)
!244 = !DILocation(line: 86, scope: !201)
!245 = !DILocation(line: 87, scope: !201)
!246 = !DILocation(line: 88, scope: !201)
!247 = !DILocation(line: 89, scope: !201)
!248 = !DILocation(line: 90, scope: !201)
!249 = !DILocation(line: 93, scope: !201)
!250 = !DILocation(line: 96, scope: !201)
!251 = !DILocation(line: 98, scope: !201)
!252 = !DILocation(line: 100, scope: !201)
!253 = !DILocation(line: 101, scope: !201)
!254 = !DILocation(line: 102, scope: !201)
!255 = !DILocation(line: 103, scope: !201)
!256 = !DILocation(line: 104, scope: !201)
!257 = !DILocation(line: 105, scope: !201)
!258 = !DILocation(line: 106, scope: !201)
!259 = !DILocation(line: 109, scope: !201)
!260 = !DILocation(line: 110, scope: !201)
!261 = !DILocation(line: 111, scope: !201)
!262 = !DILocation(line: 112, scope: !201)
!263 = !DILocation(line: 113, scope: !201)
!264 = !DILocation(line: 114, scope: !201)
!265 = !DILocation(line: 115, scope: !201)
!266 = distinct !{!266, !250, !267}
!267 = !DILocation(line: 135, scope: !201)
!268 = !DILocation(line: 117, scope: !201)
!269 = !DILocation(line: 118, scope: !201)
!270 = !DILocation(line: 119, scope: !201)
!271 = !DILocation(line: 120, scope: !201)
!272 = !DILocation(line: 124, scope: !201)
!273 = distinct !{!273, !272, !272}
!274 = !DILocation(line: 125, scope: !201)
!275 = !DILocation(line: 126, scope: !201)
!276 = !DILocation(line: 127, scope: !201)
!277 = !DILocation(line: 128, scope: !201)
!278 = !DILocation(line: 131, scope: !201)
!279 = distinct !{!279, !278, !278}
!280 = !DILocation(line: 132, scope: !201)
!281 = !DILocation(line: 133, scope: !201)
!282 = !DILocation(line: 134, scope: !201)
!283 = !DILocation(line: 136, scope: !201)
!284 = distinct !DISubprogram(name: "strtok_r", scope: !285, file: !285, line: 3, type: !11, scopeLine: 4, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!285 = !DIFile(filename: "./src/string/strtok_r.c", directory: ".", checksumkind: CSK_MD5, checksum: "c46e7d7cdbc1894b236aeee0c16fab30")
!286 = !DILocation(line: 5, scope: !284)
!287 = !DILocation(line: 6, scope: !284)
!288 = !DILocation(line: 7, scope: !284)
!289 = !DILocation(line: 8, scope: !284)
!290 = !DILocation(line: 9, scope: !284)
!291 = !DILocation(line: 10, scope: !284)
!292 = !DILocation(line: 11, scope: !284)
!293 = !DILocation(line: 12, scope: !284)
!294 = distinct !DISubprogram(name: "strtok", scope: !295, file: !295, line: 3, type: !11, scopeLine: 4, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!295 = !DIFile(filename: "./src/string/strtok.c", directory: ".", checksumkind: CSK_MD5, checksum: "c124d6a5f02309ccc24d90582dcd3489")
!296 = !DILocation(line: 6, scope: !294)
!297 = !DILocation(line: 7, scope: !294)
!298 = !DILocation(line: 8, scope: !294)
!299 = !DILocation(line: 9, scope: !294)
!300 = !DILocation(line: 10, scope: !294)
!301 = !DILocation(line: 11, scope: !294)
!302 = !DILocation(line: 12, scope: !294)
!303 = !DILocation(line: 13, scope: !294)
!304 = distinct !DISubprogram(name: "strdup", scope: !305, file: !305, line: 4, type: !11, scopeLine: 5, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!305 = !DIFile(filename: "./src/string/strdup.c", directory: ".", checksumkind: CSK_MD5, checksum: "92406cb66cdd3969aa27aab00cc8a34a")
!306 = !DILocation(line: 6, scope: !304)
!307 = !DILocation(line: 7, scope: !304)
!308 = !DILocation(line: 8, scope: !304)
!309 = !DILocation(line: 9, scope: !304)
!310 = !DILocation(line: 10, scope: !304)
!311 = distinct !DISubprogram(name: "strndup", scope: !312, file: !312, line: 4, type: !11, scopeLine: 5, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!312 = !DIFile(filename: "./src/string/strndup.c", directory: ".", checksumkind: CSK_MD5, checksum: "a26175c09b4e2d157958477b37b99b94")
!313 = !DILocation(line: 6, scope: !311)
!314 = !DILocation(line: 7, scope: !311)
!315 = !DILocation(line: 8, scope: !311)
!316 = !DILocation(line: 9, scope: !311)
!317 = !DILocation(line: 10, scope: !311)
!318 = !DILocation(line: 11, scope: !311)
!319 = !DILocation(line: 12, scope: !311)
